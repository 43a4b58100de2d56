// SPDX-License-Identifier: Apache-2.0
// Sessions with several threads, in programs that have their own threads and child processes.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

class ThreadsTest : public testing::TestWithParam<linnet_backend> {
 protected:
  void SetUp() override {
    ASSERT_EQ(linnet_plan_open_memory(bytes_.data(), bytes_.size(), nullptr, &plan_, nullptr),
              LINNET_OK);
  }
  void TearDown() override { linnet_plan_close(plan_); }

  linnet_session* Create(int threads) const {
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = GetParam();
    options.threads = threads;
    linnet_session* session = nullptr;
    linnet_error error{};
    EXPECT_EQ(linnet_session_create(plan_, &options, &session, &error), LINNET_OK) << error.text;
    return session;
  }
  static std::vector<float> Run(linnet_session* session) {
    auto* x = static_cast<float*>(linnet_session_input_data(session, 0));
    for (int i = 0; i < 40 * 40 * 24; ++i) x[i] = static_cast<float>(i % 31) * 0.1f - 1.0f;
    EXPECT_EQ(linnet_session_run(session), LINNET_OK) << linnet_session_last_error(session)->text;
    const auto* data = static_cast<const float*>(linnet_session_output_data(session, 0));
    return {data, data + linnet_session_output_info(session, 0)->bytes / 4};
  }
  std::vector<float> RunOnce(int threads) const {
    linnet_session* session = Create(threads);
    std::vector<float> values = Run(session);
    linnet_session_destroy(session);
    return values;
  }

  const PlacedBytes bytes_{LargePlan()};
  linnet_plan* plan_ = nullptr;
};

TEST_P(ThreadsTest, AnyNumberGivesTheSameBits) {
  const std::vector<float> expected = RunOnce(1);
  for (int threads = 2; threads <= 8; ++threads) {
    linnet_session* session = Create(threads);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(Run(session), expected) << threads << " threads";
    linnet_session_destroy(session);
  }
}

TEST_P(ThreadsTest, SessionsWithThreadsInThreads) {
  const std::vector<float> expected = RunOnce(1);
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; ++t)
    callers.emplace_back([&, t] {
      for (int i = 0; i < 3; ++i) EXPECT_EQ(RunOnce(2 + t), expected);
    });
  for (std::thread& caller : callers) caller.join();
}

TEST_P(ThreadsTest, AThousandSessionsComeAndGo) {
  for (int i = 0; i < 1000; ++i) {
    linnet_session* session = Create(2);
    if (i % 100 == 0) Run(session);
    linnet_session_destroy(session);
  }
}

// The threads stay in the parent; the child runs and closes the session that it inherited.
TEST_P(ThreadsTest, AChildRunsAnInheritedSession) {
  linnet_session* session = Create(3);
  const std::vector<float> expected = Run(session);
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(120);  // in case it hangs
    const bool same = Run(session) == expected;
    linnet_session_destroy(session);
    _exit(same ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0) << "signal " << (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  EXPECT_EQ(Run(session), expected);
  linnet_session_destroy(session);
}

INSTANTIATE_TEST_SUITE_P(Backends, ThreadsTest,
                         testing::Values(LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE),
                         [](const testing::TestParamInfo<linnet_backend>& info) {
                           return info.param == LINNET_BACKEND_CPU ? "cpu" : "portable";
                         });

}  // namespace
}  // namespace linnet
