// SPDX-License-Identifier: Apache-2.0
// Counts and fails calls of malloc: a run makes none, and each one that fails while opening,
// preparing or creating earns an error.
#include <cstring>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "tests/runtime/api/small_plan.h"
#include "tests/runtime/counted_malloc.h"

namespace linnet {
namespace {

linnet_status Life(const PlacedBytes& bytes, linnet_backend backend, int threads, bool run,
                   linnet_error* error) {
  linnet_plan* plan = nullptr;
  linnet_session* session = nullptr;
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.backend = backend;
  options.threads = threads;
  linnet_status status = linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan, error);
  if (status == LINNET_OK) status = linnet_session_create(plan, &options, &session, error);
  if (status == LINNET_OK && run) {
    std::memset(linnet_session_input_data(session, 0), 0, 432);
    std::memset(linnet_session_input_data(session, 1), 0, 8);
    status = linnet_session_run(session);
  }
  linnet_session_destroy(session);
  linnet_plan_close(plan);
  return status;
}

// A plan and a session of it; null where one of both failed, which is a failure of the test.
class Opened {
 public:
  Opened(const PlacedBytes& bytes, linnet_backend backend, int threads) {
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = backend;
    options.threads = threads;
    EXPECT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan_, nullptr),
              LINNET_OK);
    if (plan_ == nullptr) return;
    EXPECT_EQ(linnet_session_create(plan_, &options, &session_, nullptr), LINNET_OK);
  }
  ~Opened() {
    linnet_session_destroy(session_);
    linnet_plan_close(plan_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  linnet_session* session() const { return session_; }

 private:
  linnet_plan* plan_ = nullptr;
  linnet_session* session_ = nullptr;
};

class AllocationTest : public testing::TestWithParam<linnet_backend> {};

TEST_P(AllocationTest, RunMakesNone) {
  const PlacedBytes bytes(SmallPlan(), 0);
  for (const int threads : {1, 2}) {
    const Opened opened(bytes, GetParam(), threads);
    linnet_session* const session = opened.session();
    ASSERT_NE(session, nullptr);
    std::memset(linnet_session_input_data(session, 0), 0, 432);
    std::memset(linnet_session_input_data(session, 1), 0, 8);
    linnet_status status;
    {
      const CountedScope scope(-1);
      status = linnet_session_run(session);
      if (status == LINNET_OK) status = linnet_session_run(session);
    }
    EXPECT_EQ(status, LINNET_OK);
    EXPECT_EQ(CountedScope::calls(), 0);
  }
}

TEST_P(AllocationTest, OtherExtentsMakeNone) {
  const PlacedBytes bytes(VaryingPlan(), 0);
  const Opened opened(bytes, GetParam(), 1);
  linnet_session* const session = opened.session();
  ASSERT_NE(session, nullptr);
  std::memset(linnet_session_input_data(session, 0), 0, 96);
  linnet_status status = LINNET_OK;
  {
    const CountedScope scope(-1);
    for (int64_t rows = 1; rows <= 8 && status == LINNET_OK; ++rows) {
      const int64_t dims[] = {rows, 3};
      status = linnet_session_set_input_shape(session, 0, dims, 2);
      std::memset(linnet_session_input_data(session, 1), static_cast<int>(rows % 2), 8);
      if (status == LINNET_OK) status = linnet_session_run(session);
    }
  }
  EXPECT_EQ(status, LINNET_OK);
  EXPECT_EQ(CountedScope::calls(), 0);
}

TEST_P(AllocationTest, LoopsMakeNone) {
  const PlacedBytes bytes(LoopPlan(), 0);
  const Opened opened(bytes, GetParam(), 1);
  linnet_session* const session = opened.session();
  ASSERT_NE(session, nullptr);
  linnet_session_enable_profile(session, 1);
  for (int i = 0; i < 3; ++i) static_cast<float*>(linnet_session_input_data(session, 0))[i] = 1;
  *static_cast<float*>(linnet_session_input_data(session, 1)) = 1000;
  linnet_status status;
  {
    const CountedScope scope(-1);
    status = linnet_session_run(session);
  }
  EXPECT_EQ(status, LINNET_OK);
  EXPECT_EQ(*static_cast<const int32_t*>(linnet_session_output_data(session, 0)), 9);
  EXPECT_EQ(CountedScope::calls(), 0);
}

// Once without failure to warm up what lives as long as the process (XNNPACK, cpuinfo).
// TensorFlow graph row 49: teardown gives everything back
TEST_P(AllocationTest, EachFailureIsAnErrorAndLeaksNothing) {
  const PlacedBytes bytes(SmallPlan(), 0);
  linnet_error error{};
  ASSERT_EQ(Life(bytes, GetParam(), 1, true, &error), LINNET_OK) << error.text;
  int64_t total = 0;
  {
    const CountedScope scope(-1);
    Life(bytes, GetParam(), 1, true, &error);
    total = CountedScope::calls();
  }
  ASSERT_GT(total, 5);
  for (int64_t i = 0; i < total; ++i) {
    linnet_status status;
    int64_t left;
    {
      const CountedScope scope(i);
      status = Life(bytes, GetParam(), 1, true, &error);
      left = CountedScope::live();
    }
    EXPECT_EQ(status, LINNET_NO_MEMORY) << "call " << i << " of " << total << ": " << error.text;
    EXPECT_EQ(left, 0) << "call " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, AllocationTest,
                         testing::Values(LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE),
                         [](const auto& info) {
                           return info.param == LINNET_BACKEND_CPU ? "Cpu" : "Portable";
                         });

}  // namespace
}  // namespace linnet
