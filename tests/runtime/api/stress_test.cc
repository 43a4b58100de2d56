// SPDX-License-Identifier: Apache-2.0
// Sessions used from several threads in every permitted way, for ThreadSanitizer: concurrent runs
// on shared weights, cancellation from other threads, creating and closing while others run. Each
// run must give the results that it gives alone, or LINNET_CANCELLED.
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 40;

class StressTest : public testing::TestWithParam<linnet_backend> {
 protected:
  void SetUp() override {
    ASSERT_EQ(linnet_plan_open_memory(bytes_.data(), bytes_.size(), nullptr, &plan_, nullptr),
              LINNET_OK);
    linnet_session* session = Create(1);
    expected_ = Run(session);
    linnet_session_destroy(session);
  }
  void TearDown() override { linnet_plan_close(plan_); }

  linnet_session* Create(int threads, linnet_weights* weights = nullptr) const {
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = GetParam();
    options.threads = threads;
    options.weights = weights;
    linnet_session* session = nullptr;
    linnet_error error{};
    EXPECT_EQ(linnet_session_create(plan_, &options, &session, &error), LINNET_OK) << error.text;
    return session;
  }

  // The bytes of the outputs; nothing when the run was cancelled.
  static std::vector<char> Run(linnet_session* session) {
    auto* x = static_cast<float*>(linnet_session_input_data(session, 0));
    for (int i = 0; i < 108; ++i) x[i] = static_cast<float>(i % 17) * 0.1f - 0.5f;
    auto* index = static_cast<int32_t*>(linnet_session_input_data(session, 1));
    index[0] = 3;
    index[1] = 8;
    const linnet_status status = linnet_session_run(session);
    if (status == LINNET_CANCELLED) return {};
    EXPECT_EQ(status, LINNET_OK) << linnet_session_last_error(session)->text;
    std::vector<char> bytes;
    for (int32_t i = 0; i < linnet_session_num_outputs(session); ++i) {
      const auto* data = static_cast<const char*>(linnet_session_output_data(session, i));
      bytes.insert(bytes.end(), data, data + linnet_session_output_info(session, i)->bytes);
    }
    return bytes;
  }

  template <typename Work>
  static void OnThreads(Work work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
    for (std::thread& thread : threads) thread.join();
  }

  const PlacedBytes bytes_{SmallPlan()};
  linnet_plan* plan_ = nullptr;
  std::vector<char> expected_;
};

TEST_P(StressTest, SessionsComeAndGoWhileOthersRun) {
  OnThreads([this](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      linnet_session* session = Create(1 + (thread + round) % 3);
      EXPECT_EQ(Run(session), expected_);
      linnet_session_destroy(session);
    }
  });
}

TEST_P(StressTest, CancelledRunsEndAndTheNextOnesAreRight) {
  linnet_session* sessions[kThreads];
  for (int i = 0; i < kThreads; ++i) sessions[i] = Create(1 + i % 2);
  std::atomic<bool> done = false;
  std::thread canceller([&] {
    while (!done)
      for (linnet_session* session : sessions) linnet_session_cancel(session);
  });
  OnThreads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      const std::vector<char> got = Run(sessions[thread]);
      if (!got.empty()) {
        EXPECT_EQ(got, expected_);
      }
    }
  });
  done = true;
  canceller.join();
  for (linnet_session* session : sessions) {
    Run(session);  // the last request may cancel it
    EXPECT_EQ(Run(session), expected_);
    linnet_session_destroy(session);
  }
}

TEST_P(StressTest, WeightsPreparedOnceServeAll) {
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.backend = GetParam();
  options.threads = 2;
  linnet_weights* weights = nullptr;
  ASSERT_EQ(linnet_weights_prepare(plan_, &options, &weights, nullptr), LINNET_OK);
  OnThreads([&](int thread) {
    for (int round = 0; round < kRounds / 4; ++round) {
      linnet_session* session = Create(1 + thread % 2, weights);
      for (int run = 0; run < 4; ++run) EXPECT_EQ(Run(session), expected_);
      linnet_session_destroy(session);
    }
  });
  linnet_weights_release(weights);
}

TEST_P(StressTest, PlansOpenAndCloseSideBySide) {
  OnThreads([this](int) {
    for (int round = 0; round < kRounds; ++round) {
      linnet_plan* plan = nullptr;
      ASSERT_EQ(linnet_plan_open_memory(bytes_.data(), bytes_.size(), nullptr, &plan, nullptr),
                LINNET_OK);
      linnet_session_options options{};
      options.struct_size = sizeof(options);
      options.backend = GetParam();
      linnet_session* session = nullptr;
      ASSERT_EQ(linnet_session_create(plan, &options, &session, nullptr), LINNET_OK);
      EXPECT_EQ(Run(session), expected_);
      linnet_session_destroy(session);
      linnet_plan_close(plan);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Backends, StressTest,
                         testing::Values(LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE),
                         [](const auto& info) {
                           return info.param == LINNET_BACKEND_CPU ? "Cpu" : "Portable";
                         });

}  // namespace
}  // namespace linnet
