// SPDX-License-Identifier: Apache-2.0
// Counts calls of malloc and lets them fail: a run makes none, and a failure while opening,
// preparing or creating leads to an error.
#include <array>
#include <cstring>
#include <memory>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "tests/runtime/counted_malloc.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"

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

// A plan and a session of it; null when creating one of them failed, which is also a failure of the
// test.
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

TEST_P(AllocationTest, SubmittedRunsMakeNone) {
  const PlacedBytes bytes(SmallPlan(), 0);
  const Opened opened(bytes, GetParam(), 1);
  linnet_session* const session = opened.session();
  ASSERT_NE(session, nullptr);
  std::memset(linnet_session_input_data(session, 0), 0, 432);
  std::memset(linnet_session_input_data(session, 1), 0, 8);
  ASSERT_EQ(linnet_session_submit(session), LINNET_OK);  // starts the thread
  ASSERT_EQ(linnet_session_wait(session, -1), LINNET_OK);
  std::memset(linnet_session_input_data(session, 1), 0, 8);
  linnet_status submitted, status;
  {
    const CountedScope scope(-1);
    submitted = linnet_session_submit(session);
    status = linnet_session_wait(session, -1);
  }
  EXPECT_EQ(submitted, LINNET_OK);
  EXPECT_EQ(status, LINNET_OK);
  EXPECT_EQ(CountedScope::calls(), 0);
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

TEST_P(AllocationTest, OtherSizesOfPicturesMakeNone) {
  const PlacedBytes bytes(PicturesPlan(), 0);
  for (const int threads : {1, 2}) {
    const Opened opened(bytes, GetParam(), threads);
    linnet_session* const session = opened.session();
    ASSERT_NE(session, nullptr);
    std::memset(linnet_session_input_data(session, 0), 0, 1 * 9 * 12 * 2 * sizeof(float));
    linnet_status status = LINNET_OK;
    {
      const CountedScope scope(-1);
      for (int64_t step = 0; step < 12 && status == LINNET_OK; ++step) {
        // From small to large and back, in both directions.
        const int64_t dims[] = {1, 1 + step * 5 % 9, 12 - step * 7 % 12, 2};
        status = linnet_session_set_input_shape(session, 0, dims, 4);
        if (status == LINNET_OK) status = linnet_session_run(session);
      }
    }
    EXPECT_EQ(status, LINNET_OK) << threads;
    EXPECT_EQ(CountedScope::calls(), 0) << threads;
  }
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

// The first pass, without failures, initialises what lives as long as the process.
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

// With an allocator, all memory comes from it: here from one block that only grows.
TEST(Allocation, AllMemoryComesFromTheAllocator) {
  static std::array<std::byte, 1 << 20> block;
  static size_t used;
  used = 0;
  const PlacedBytes bytes(SmallPlan(), 0);
  linnet_allocator hooks{};
  hooks.struct_size = sizeof(hooks);
  hooks.allocate = [](void*, size_t size, size_t) -> void* {
    void* at = block.data() + used;
    size_t space = block.size() - used;
    if (std::align(64, size, at, space) == nullptr) return nullptr;
    used = block.size() - space + size;
    return at;
  };
  hooks.release = [](void*, void*, size_t) {};
  linnet_open_options options{};
  options.struct_size = sizeof(options);
  options.allocator = &hooks;
  linnet_session_options portable{};
  portable.struct_size = sizeof(portable);
  portable.backend = LINNET_BACKEND_PORTABLE;
  linnet_plan* plan = nullptr;
  linnet_session* session = nullptr;
  linnet_status opened, created, run = LINNET_INTERNAL;
  {
    const CountedScope scope(-1);
    opened = linnet_plan_open_memory(bytes.data(), bytes.size(), &options, &plan, nullptr);
    created = linnet_session_create(plan, &portable, &session, nullptr);
    if (created == LINNET_OK) run = linnet_session_run(session);
    linnet_session_destroy(session);
    linnet_plan_close(plan);
  }
  EXPECT_EQ(opened, LINNET_OK);
  EXPECT_EQ(created, LINNET_OK);
  EXPECT_EQ(run, LINNET_OK);
  EXPECT_EQ(CountedScope::calls(), 0);
  EXPECT_GT(used, 0u);
}

TEST(Allocation, APlanInTheCallersBlockHoldsNone) {
  const PlacedBytes bytes(SmallPlan(), 0);
  linnet_open_options options{};
  options.struct_size = sizeof(options);
  options.flags = LINNET_OPEN_IN_PLACE;
  linnet_plan* plan = nullptr;
  ASSERT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), &options, &plan, nullptr),
            LINNET_OK);
  const PlacedBytes block(std::vector<std::byte>(static_cast<size_t>(linnet_plan_bytes(plan))), 0);
  linnet_plan_close(plan);
  options.block = block.data();
  options.block_bytes = block.size();
  linnet_status opened;
  int64_t live, calls;
  {
    const CountedScope scope(-1);
    opened = linnet_plan_open_memory(bytes.data(), bytes.size(), &options, &plan, nullptr);
    live = CountedScope::live();
    calls = CountedScope::calls();
    linnet_plan_close(plan);
  }
  EXPECT_EQ(opened, LINNET_OK);
  EXPECT_EQ(live, 0);
  EXPECT_GT(calls, 0) << "what opening needs for a moment";
}

INSTANTIATE_TEST_SUITE_P(Backends, AllocationTest,
                         testing::Values(LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE),
                         [](const auto& info) {
                           return info.param == LINNET_BACKEND_CPU ? "Cpu" : "Portable";
                         });

}  // namespace
}  // namespace linnet
