// SPDX-License-Identifier: Apache-2.0
// Runs on a thread of the session, and waiting for them.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

class SubmitTest : public testing::TestWithParam<linnet_backend> {
 protected:
  void TearDown() override {
    linnet_session_destroy(session_);
    linnet_plan_close(plan_);
  }

  void Open(const PlacedBytes& bytes, int threads = 1) {
    ASSERT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan_, nullptr),
              LINNET_OK);
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = GetParam();
    options.threads = threads;
    linnet_error error{};
    ASSERT_EQ(linnet_session_create(plan_, &options, &session_, &error), LINNET_OK) << error.text;
  }
  float* Input(int index) const {
    return static_cast<float*>(linnet_session_input_data(session_, index));
  }
  // While sum(y) < limit: y = 2 y. With zeros this loop is endless.
  void SubmitWithoutEnd() {
    for (int i = 0; i < 3; ++i) Input(0)[i] = 0;
    *Input(1) = 1;
    ASSERT_EQ(linnet_session_submit(session_), LINNET_OK);
  }
  void ExpectRuns() {
    for (int i = 0; i < 3; ++i) Input(0)[i] = 1;
    *Input(1) = 1000;
    EXPECT_EQ(linnet_session_run(session_), LINNET_OK);
    EXPECT_EQ(*static_cast<const int32_t*>(linnet_session_output_data(session_, 0)), 9);
  }

  const PlacedBytes loop_{LoopPlan()};
  const PlacedBytes small_{SmallPlan()};
  linnet_plan* plan_ = nullptr;
  linnet_session* session_ = nullptr;
};

TEST_P(SubmitTest, GivesWhatARunGives) {
  for (const int threads : {1, 3}) {
    Open(small_, threads);
    const auto fill = [this](int round) {
      for (int i = 0; i < 108; ++i) Input(0)[i] = static_cast<float>((i + round) % 17) * 0.1f;
      auto* index = static_cast<int32_t*>(linnet_session_input_data(session_, 1));
      index[0] = 3;
      index[1] = 8;
    };
    const auto outputs = [this] {
      std::vector<char> bytes;
      for (int32_t i = 0; i < linnet_session_num_outputs(session_); ++i) {
        const auto* data = static_cast<const char*>(linnet_session_output_data(session_, i));
        bytes.insert(bytes.end(), data, data + linnet_session_output_info(session_, i)->bytes);
      }
      return bytes;
    };
    for (int round = 0; round < 20; ++round) {
      fill(round);
      linnet_session_reset(session_);
      ASSERT_EQ(linnet_session_run(session_), LINNET_OK);
      const std::vector<char> expected = outputs();
      linnet_session_reset(session_);
      fill(round);
      ASSERT_EQ(linnet_session_submit(session_), LINNET_OK);
      ASSERT_EQ(linnet_session_wait(session_, -1), LINNET_OK)
          << linnet_session_last_error(session_)->text;
      EXPECT_EQ(outputs(), expected);
    }
    TearDown();
    session_ = nullptr;
    plan_ = nullptr;
  }
}

TEST_P(SubmitTest, ErrorsAreThoseOfARun) {
  Open(small_);
  std::memset(Input(0), 0, 432);
  auto* index = static_cast<int32_t*>(linnet_session_input_data(session_, 1));
  index[0] = index[1] = 1 << 20;
  ASSERT_EQ(linnet_session_submit(session_), LINNET_OK);
  EXPECT_EQ(linnet_session_wait(session_, -1), LINNET_BAD_INDEX);
  const linnet_error* error = linnet_session_last_error(session_);
  EXPECT_EQ(error->status, LINNET_BAD_INDEX);
  EXPECT_GE(error->step, 0);
  EXPECT_NE(std::strstr(error->text, "step "), nullptr) << error->text;
}

TEST_P(SubmitTest, AWaitMayEndEarly) {
  Open(loop_);
  SubmitWithoutEnd();
  EXPECT_EQ(linnet_session_wait(session_, 0), LINNET_TIMEOUT);
  EXPECT_EQ(linnet_session_last_error(session_)->status, LINNET_TIMEOUT);
  EXPECT_EQ(linnet_session_wait(session_, 2 * kMillisecond), LINNET_TIMEOUT);
  linnet_session_cancel(session_);
  EXPECT_EQ(linnet_session_wait(session_, -1), LINNET_CANCELLED);
  EXPECT_EQ(linnet_session_wait(session_, -1), LINNET_INVALID_ARGUMENT);
  ExpectRuns();
}

TEST_P(SubmitTest, UntilThenTheSessionBelongsToTheRun) {
  Open(loop_);
  float memory[3] = {};
  int64_t dims[LINNET_MAX_RANK] = {3};
  linnet_session_enable_profile(session_, 1);
  SubmitWithoutEnd();
  EXPECT_EQ(linnet_session_submit(session_), LINNET_INVALID_ARGUMENT);
  EXPECT_NE(std::strstr(linnet_session_last_error(session_)->text, "linnet_session_wait"), nullptr);
  EXPECT_EQ(linnet_session_run(session_), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_set_input_shape(session_, 0, dims, 1), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_bind_input(session_, 0, memory, sizeof(memory)),
            LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_bind_output(session_, 1, memory, sizeof(memory)),
            LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_input_data(session_, 0), nullptr);
  EXPECT_EQ(linnet_session_output_data(session_, 0), nullptr);
  EXPECT_EQ(linnet_session_input_shape(session_, 0, dims), -1);
  EXPECT_EQ(linnet_session_output_shape(session_, 0, dims), -1);
  EXPECT_EQ(linnet_session_step_ns(session_), nullptr);
  linnet_session_enable_profile(session_, 0);
  linnet_session_reset(session_);
  EXPECT_EQ(linnet_session_num_inputs(session_), 2);  // the plan's information stays readable
  EXPECT_NE(linnet_session_input_info(session_, 0), nullptr);
  linnet_session_cancel(session_);
  EXPECT_EQ(linnet_session_wait(session_, -1), LINNET_CANCELLED);
  EXPECT_NE(linnet_session_step_ns(session_), nullptr);
  ExpectRuns();
}

TEST_P(SubmitTest, DestroyingEndsIt) {
  Open(loop_);
  SubmitWithoutEnd();
  linnet_session_destroy(session_);
  session_ = nullptr;
}

TEST_P(SubmitTest, WithoutARunThereIsNothingToWaitFor) {
  Open(loop_);
  EXPECT_EQ(linnet_session_wait(session_, -1), LINNET_INVALID_ARGUMENT);
  EXPECT_STREQ(linnet_session_last_error(session_)->text, "no run was submitted");
}

// The thread stays in the parent; the child gets an error and can run without it.
TEST_P(SubmitTest, AChildOfForkHasNoSubmittedRun) {
  Open(loop_);
  SubmitWithoutEnd();
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(120);  // in case it hangs
    const bool cancelled = linnet_session_wait(session_, -1) == LINNET_CANCELLED;
    for (int i = 0; i < 3; ++i) Input(0)[i] = 1;
    *Input(1) = 1000;
    const bool runs = linnet_session_run(session_) == LINNET_OK;
    linnet_session_destroy(session_);
    _exit(cancelled && runs ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0) << "signal " << (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  linnet_session_cancel(session_);
  EXPECT_EQ(linnet_session_wait(session_, -1), LINNET_CANCELLED);
}

INSTANTIATE_TEST_SUITE_P(Backends, SubmitTest,
                         testing::Values(LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE),
                         [](const testing::TestParamInfo<linnet_backend>& info) {
                           return info.param == LINNET_BACKEND_CPU ? "cpu" : "portable";
                         });

}  // namespace
}  // namespace linnet
