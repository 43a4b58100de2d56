// SPDX-License-Identifier: Apache-2.0
// State that a session keeps from run to run.
#include <vector>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

class StateTest : public testing::TestWithParam<linnet_backend> {
 protected:
  void SetUp() override {
    ASSERT_EQ(linnet_plan_open_memory(bytes_.data(), bytes_.size(), nullptr, &plan_, nullptr),
              LINNET_OK);
    session_ = Create();
  }
  void TearDown() override {
    linnet_session_destroy(session_);
    linnet_plan_close(plan_);
  }

  linnet_session* Create() {
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = GetParam();
    linnet_session* session = nullptr;
    linnet_error error{};
    EXPECT_EQ(linnet_session_create(plan_, &options, &session, &error), LINNET_OK) << error.text;
    return session;
  }
  // Runs on x, x, x.
  static linnet_status Run(linnet_session* session, float x, int32_t index = 0) {
    for (int i = 0; i < 3; ++i) static_cast<float*>(linnet_session_input_data(session, 0))[i] = x;
    *static_cast<int32_t*>(linnet_session_input_data(session, 1)) = index;
    return linnet_session_run(session);
  }
  static std::vector<float> Output(linnet_session* session, int index) {
    const auto* data = static_cast<const float*>(linnet_session_output_data(session, index));
    return {data, data + 3};
  }

  PlacedBytes bytes_{SumPlan()};
  linnet_plan* plan_ = nullptr;
  linnet_session* session_ = nullptr;
};

using Floats = std::vector<float>;

TEST_P(StateTest, GoesFromRunToRun) {
  ASSERT_EQ(Run(session_, 10), LINNET_OK);
  EXPECT_EQ(Output(session_, 0), (Floats{11, 12, 13}));
  EXPECT_EQ(Output(session_, 1), (Floats{0, 0, 0}));
  ASSERT_EQ(Run(session_, 20), LINNET_OK);
  EXPECT_EQ(Output(session_, 0), (Floats{31, 32, 33}));
  EXPECT_EQ(Output(session_, 1), (Floats{10, 10, 10}));
}

TEST_P(StateTest, ResetBeginsANewStream) {
  ASSERT_EQ(Run(session_, 10), LINNET_OK);
  linnet_session_reset(session_);
  ASSERT_EQ(Run(session_, 5), LINNET_OK);
  EXPECT_EQ(Output(session_, 0), (Floats{6, 7, 8}));
  EXPECT_EQ(Output(session_, 1), (Floats{0, 0, 0}));
}

// TensorFlow graph row 38: sessions do not change the plan
TEST_P(StateTest, BelongsToTheSession) {
  linnet_session* other = Create();
  ASSERT_EQ(Run(session_, 10), LINNET_OK);
  ASSERT_EQ(Run(other, 1), LINNET_OK);
  EXPECT_EQ(Output(other, 0), (Floats{2, 3, 4}));
  linnet_session_destroy(other);
}

TEST_P(StateTest, ARunThatFailsChangesNothing) {
  ASSERT_EQ(Run(session_, 10), LINNET_OK);
  EXPECT_EQ(Run(session_, 100, /*index=*/3), LINNET_BAD_INDEX);
  linnet_session_cancel(session_);
  EXPECT_EQ(Run(session_, 1000), LINNET_CANCELLED);
  ASSERT_EQ(Run(session_, 1), LINNET_OK);
  EXPECT_EQ(Output(session_, 0), (Floats{12, 13, 14}));
  EXPECT_EQ(Output(session_, 1), (Floats{10, 10, 10}));
}

INSTANTIATE_TEST_SUITE_P(Backends, StateTest,
                         testing::Values(LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE));

}  // namespace
}  // namespace linnet
