// SPDX-License-Identifier: Apache-2.0
// Extents that differ from run to run.
#include <array>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "linnet/linnet.hpp"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

using Shape = std::vector<int64_t>;

class VaryingTest : public testing::TestWithParam<linnet_backend> {
 protected:
  void SetUp() override {
    ASSERT_EQ(linnet_plan_open_memory(bytes_.data(), bytes_.size(), nullptr, &plan_, nullptr),
              LINNET_OK);
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = GetParam();
    linnet_error error{};
    ASSERT_EQ(linnet_session_create(plan_, &options, &session_, &error), LINNET_OK) << error.text;
  }
  void TearDown() override {
    linnet_session_destroy(session_);
    linnet_plan_close(plan_);
  }

  linnet_status Resize(const Shape& dims) {
    return linnet_session_set_input_shape(session_, 0, dims.data(),
                                          static_cast<int32_t>(dims.size()));
  }
  // x is 1; `kept` rows of keep are true, from row 1 on.
  linnet_status Run(int64_t rows, int kept) {
    auto* x = static_cast<float*>(linnet_session_input_data(session_, 0));
    std::fill(x, x + rows * 3, 1.0f);
    auto* keep = static_cast<uint8_t*>(linnet_session_input_data(session_, 1));
    for (int i = 0; i < 8; ++i) keep[i] = i > 0 && i <= kept;
    return linnet_session_run(session_);
  }
  Shape OutputShape(int index) const {
    int64_t dims[LINNET_MAX_RANK];
    const int32_t rank = linnet_session_output_shape(session_, index, dims);
    return rank < 0 ? Shape{-1} : Shape(dims, dims + rank);
  }
  template <typename T>
  std::vector<T> Output(int index, int64_t count) const {
    const auto* data = static_cast<const T*>(linnet_session_output_data(session_, index));
    return {data, data + count};
  }

  PlacedBytes bytes_{VaryingPlan()};
  linnet_plan* plan_ = nullptr;
  linnet_session* session_ = nullptr;
};

TEST_P(VaryingTest, InfoHasTheLargestAndWhatVaries) {
  const linnet_tensor_info& x = *linnet_session_input_info(session_, 0);
  EXPECT_EQ(x.dims[0], 8);
  EXPECT_EQ(x.varies, 1u);
  EXPECT_EQ(x.bytes, 96);
  EXPECT_EQ(linnet_session_input_info(session_, 1)->varies, 0u);
  EXPECT_EQ(linnet_session_output_info(session_, 1)->varies, 0u) << "n + (8 - n) rows are always 8";
  EXPECT_EQ(linnet_session_output_info(session_, 2)->varies, 1u);
}

TEST_P(VaryingTest, EachRunHasItsExtents) {
  for (const int64_t rows : {8, 2, 5, 1, 8}) {
    const int kept = static_cast<int>(rows) - 1;
    ASSERT_EQ(Resize({rows, 3}), LINNET_OK);
    ASSERT_EQ(Run(rows, kept), LINNET_OK) << linnet_session_last_error(session_)->text;
    EXPECT_EQ(OutputShape(0), (Shape{rows, 3}));
    EXPECT_EQ(OutputShape(1), (Shape{8, 3}));
    EXPECT_EQ(OutputShape(2), (Shape{kept, 1}));
    EXPECT_EQ(Output<int32_t>(3, 2), (std::vector<int32_t>{static_cast<int32_t>(rows), 3}));
    const std::vector<float> sum = Output<float>(0, rows * 3);
    const std::vector<float> padded = Output<float>(1, 24);
    for (int64_t i = 0; i < rows * 3; ++i) EXPECT_EQ(sum[i], sum[i % 3]) << i;
    for (int64_t i = 0; i < 24; ++i) EXPECT_EQ(padded[i], i < rows * 3 ? 1.0f : 0.0f) << i;
    for (int i = 0; i < kept; ++i) EXPECT_EQ(Output<int64_t>(2, kept)[i], i + 1);
  }
}

TEST_P(VaryingTest, ImpossibleShapesChangeNothing) {
  ASSERT_EQ(Resize({5, 3}), LINNET_OK);
  for (const Shape& dims : {Shape{9, 3}, {0, 3}, {-1, 3}, {5, 4}, {5}, {5, 3, 1}, {}})
    EXPECT_EQ(Resize(dims), LINNET_INVALID_ARGUMENT);
  int64_t dims[LINNET_MAX_RANK];
  EXPECT_EQ(linnet_session_input_shape(session_, 0, dims), 2);
  EXPECT_EQ(dims[0], 5);
  const int64_t fixed[] = {8}, other[] = {7};
  EXPECT_EQ(linnet_session_set_input_shape(session_, 1, fixed, 1), LINNET_OK);
  EXPECT_EQ(linnet_session_set_input_shape(session_, 1, other, 1), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_set_input_shape(session_, 2, fixed, 1), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_output_shape(session_, 4, dims), -1);
}

// Rows stay at their places when there are fewer of them.
TEST_P(VaryingTest, RowsWithGapsAtOtherExtents) {
  constexpr float kAdded[] = {-11.0f, 3.0f, -6.0f, 0.0f};
  std::vector<float> x(8 * 5, 1.0f), sum(8 * 4, -7.0f);
  linnet_buffer from{}, to{};
  from.struct_size = to.struct_size = sizeof(from);
  from.kind = to.kind = LINNET_BUFFER_POINTER;
  from.address = x.data();
  from.bytes = x.size() * sizeof(float);
  from.pitch = 5 * sizeof(float);
  to.address = sum.data();
  to.bytes = sum.size() * sizeof(float);
  to.pitch = 4 * sizeof(float);
  ASSERT_EQ(linnet_session_bind_input_buffer(session_, 0, &from), LINNET_OK);
  ASSERT_EQ(linnet_session_bind_output_buffer(session_, 0, &to), LINNET_OK);
  for (const int64_t rows : {2, 8, 1}) {
    ASSERT_EQ(Resize({rows, 3}), LINNET_OK);
    std::fill(sum.begin(), sum.end(), -7.0f);
    for (int64_t i = 0; i < 8 * 5; ++i) x[i] = i % 5 < 3 ? static_cast<float>(i / 5) : -99.0f;
    std::memset(linnet_session_input_data(session_, 1), 0, 8);
    ASSERT_EQ(linnet_session_run(session_), LINNET_OK);
    for (int64_t i = 0; i < 8 * 4; ++i) {
      const bool written = i / 4 < rows && i % 4 < 3;
      const float expected = static_cast<float>(i / 4) + kAdded[i % 4];
      EXPECT_EQ(sum[i], written ? expected : -7.0f) << rows << " " << i;
    }
  }
}

TEST_P(VaryingTest, BoundMemoryHasTheExtentsOfTheRun) {
  alignas(64) std::array<float, 40> x{}, sum{};
  x.fill(1.0f);
  sum.fill(-1.0f);
  ASSERT_EQ(linnet_session_bind_input(session_, 0, x.data() + 1, 39 * sizeof(float)),
            LINNET_OK);  // copied
  ASSERT_EQ(linnet_session_bind_output(session_, 0, sum.data() + 1, 24 * sizeof(float)), LINNET_OK);
  ASSERT_EQ(Resize({2, 3}), LINNET_OK);
  ASSERT_EQ(linnet_session_run(session_), LINNET_OK);
  EXPECT_EQ(sum[1], sum[4]);
  EXPECT_EQ(sum[7], -1.0f) << "written past two rows";
}

INSTANTIATE_TEST_SUITE_P(Backends, VaryingTest,
                         testing::Values(LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE));

TEST(VaryingCpp, SpansHaveTheExtentsOfTheRun) {
  const std::vector<std::byte>& bytes = VaryingPlan();
  auto plan = Plan::Open(bytes);
  ASSERT_TRUE(plan);
  auto session = Session::Create(*plan);
  ASSERT_TRUE(session);
  const int64_t dims[] = {3, 3};
  ASSERT_FALSE(session->SetInputShape(0, dims));
  EXPECT_EQ(session->Input<float>(0).size(), 9u);
  std::ranges::fill(session->Input<float>(0), 2.0f);
  std::ranges::fill(session->Input<uint8_t>(1), uint8_t{1});
  ASSERT_FALSE(session->Run());
  EXPECT_EQ(session->Output<float>(0).size(), 9u);
  EXPECT_EQ(session->Output<int64_t>(2).size(), 8u);
  EXPECT_EQ(session->OutputShape(0).dims()[0], 3);
}

}  // namespace
}  // namespace linnet
