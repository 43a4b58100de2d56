// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs in the caller's buffers, with and without gaps between rows.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "linnet/linnet.h"
#include "runtime/ops/unary.h"
#include "tests/runtime/api/raw_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

constexpr float kGap = -77.0f;

// A session that computes y = -x.
class Negation {
 public:
  explicit Negation(const Shape& shape) : bytes_(PlanOf(shape)) {
    EXPECT_EQ(linnet_plan_open_memory(bytes_.data(), bytes_.size(), nullptr, &plan_, nullptr),
              LINNET_OK);
    EXPECT_EQ(linnet_session_create(plan_, nullptr, &session_, nullptr), LINNET_OK);
  }
  ~Negation() {
    linnet_session_destroy(session_);
    linnet_plan_close(plan_);
  }
  Negation(const Negation&) = delete;
  Negation& operator=(const Negation&) = delete;
  linnet_session* get() const { return session_; }

 private:
  static std::vector<std::byte> PlanOf(const Shape& shape) {
    RawPlan plan;
    const int32_t x = plan.Input(shape), y = plan.Arena(shape);
    plan.Step(UnaryAttrs{.kind = schema::UnaryKind::Neg}, {x}, {y});
    plan.Port(y, /*is_output=*/true);
    return plan.Finish();
  }

  PlacedBytes bytes_;
  linnet_plan* plan_ = nullptr;
  linnet_session* session_ = nullptr;
};

linnet_buffer BufferOf(std::vector<float>* values, size_t pitch = 0) {
  linnet_buffer buffer{};
  buffer.struct_size = sizeof(buffer);
  buffer.kind = LINNET_BUFFER_POINTER;
  buffer.address = values->data();
  buffer.bytes = values->size() * sizeof(float);
  buffer.pitch = pitch;
  return buffer;
}

// `rows` rows of `length` elements: 1, 2, 3 and so on. A row begins `step` elements after the
// previous one, with gaps between; the last row ends the memory.
std::vector<float> WithGaps(size_t rows, size_t length, size_t step) {
  std::vector<float> values((rows - 1) * step + length, kGap);
  for (size_t i = 0; i < rows * length; ++i)
    values[i / length * step + i % length] = static_cast<float>(i + 1);
  return values;
}

struct Case {
  Shape shape;
  size_t rows, length;  // of a tensor of this shape
};

class Buffers : public testing::TestWithParam<Case> {};

TEST_P(Buffers, RowsMayLieApart) {
  const auto [shape, rows, length] = GetParam();
  const Negation negation(shape);
  for (const size_t gap : {0, 1, 5}) {
    const size_t step = length + gap;
    std::vector<float> x = WithGaps(rows, length, step);
    const std::vector<float> before = x;
    std::vector<float> y((rows - 1) * (step + 1) + length, kGap);
    const linnet_buffer from = BufferOf(&x, step * sizeof(float));
    const linnet_buffer to = BufferOf(&y, (step + 1) * sizeof(float));
    ASSERT_EQ(linnet_session_bind_input_buffer(negation.get(), 0, &from), LINNET_OK)
        << linnet_session_last_error(negation.get())->text;
    ASSERT_EQ(linnet_session_bind_output_buffer(negation.get(), 0, &to), LINNET_OK)
        << linnet_session_last_error(negation.get())->text;
    EXPECT_EQ(linnet_session_input_data(negation.get(), 0), x.data());
    EXPECT_EQ(linnet_session_output_data(negation.get(), 0), y.data());
    ASSERT_EQ(linnet_session_run(negation.get()), LINNET_OK);
    EXPECT_EQ(x, before);
    std::vector<float> expected = WithGaps(rows, length, step + 1);
    for (float& value : expected)
      if (value != kGap) value = -value;
    EXPECT_EQ(y, expected);
  }
}

TEST_P(Buffers, TooSmallOnesAreRefused) {
  const auto [shape, rows, length] = GetParam();
  const Negation negation(shape);
  std::vector<float> values = WithGaps(rows, length, length + 2);
  const auto bind = [&](const linnet_buffer& buffer) {
    const linnet_status input = linnet_session_bind_input_buffer(negation.get(), 0, &buffer);
    EXPECT_EQ(linnet_session_bind_output_buffer(negation.get(), 0, &buffer), input);
    return input;
  };
  linnet_buffer buffer = BufferOf(&values, (length + 2) * sizeof(float));
  buffer.bytes -= 1;
  EXPECT_EQ(bind(buffer), LINNET_INVALID_ARGUMENT);
  buffer.bytes += 1;
  EXPECT_EQ(bind(buffer), LINNET_OK);
  if (rows > 1) {  // the pitch of a single row does not matter
    buffer.pitch = length * sizeof(float) - 1;
    EXPECT_EQ(bind(buffer), LINNET_INVALID_ARGUMENT);
    buffer.pitch = std::numeric_limits<size_t>::max();
    EXPECT_EQ(bind(buffer), LINNET_INVALID_ARGUMENT);
    buffer.pitch = std::numeric_limits<size_t>::max() / rows;
    EXPECT_EQ(bind(buffer), LINNET_INVALID_ARGUMENT);
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Buffers,
                         testing::Values(Case{{}, 1, 1}, Case{{7}, 1, 7}, Case{{3, 5}, 3, 5},
                                         Case{{2, 4, 3}, 2, 12}, Case{{2, 3, 4, 3}, 6, 12},
                                         Case{{1, 1, 4, 3}, 1, 12}));

TEST(Buffer, OtherKindsAndFormatsAreUnsupported) {
  const Negation negation({2, 2});
  std::vector<float> values(8);
  linnet_buffer buffer = BufferOf(&values);
  buffer.kind = 2;
  EXPECT_EQ(linnet_session_bind_input_buffer(negation.get(), 0, &buffer), LINNET_UNSUPPORTED);
  EXPECT_EQ(linnet_session_bind_output_buffer(negation.get(), 0, &buffer), LINNET_UNSUPPORTED);
  buffer = BufferOf(&values);
  buffer.format = 1;
  EXPECT_EQ(linnet_session_bind_input_buffer(negation.get(), 0, &buffer), LINNET_UNSUPPORTED);
  EXPECT_EQ(linnet_session_bind_output_buffer(negation.get(), 0, &buffer), LINNET_UNSUPPORTED);
  EXPECT_EQ(linnet_session_last_error(negation.get())->status, LINNET_UNSUPPORTED);
  buffer = BufferOf(&values);
  buffer.address = nullptr;
  EXPECT_EQ(linnet_session_bind_input_buffer(negation.get(), 0, &buffer), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_bind_input_buffer(negation.get(), 1, &buffer), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_run(negation.get()), LINNET_OK);
}

TEST(Buffer, NullReturnsToTheSessionsOwn) {
  const Negation negation({2, 2});
  const void* own = linnet_session_input_data(negation.get(), 0);
  std::vector<float> values = {1, 2, kGap, 3, 4};
  const linnet_buffer buffer = BufferOf(&values, 3 * sizeof(float));
  ASSERT_EQ(linnet_session_bind_input_buffer(negation.get(), 0, &buffer), LINNET_OK);
  ASSERT_EQ(linnet_session_run(negation.get()), LINNET_OK);
  ASSERT_EQ(linnet_session_bind_input_buffer(negation.get(), 0, nullptr), LINNET_OK);
  auto* x = static_cast<float*>(linnet_session_input_data(negation.get(), 0));
  ASSERT_EQ(x, own);
  std::iota(x, x + 4, 5.0f);
  ASSERT_EQ(linnet_session_run(negation.get()), LINNET_OK);
  EXPECT_EQ(static_cast<const float*>(linnet_session_output_data(negation.get(), 0))[3], -8.0f);
}

}  // namespace
}  // namespace linnet
