// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace linnet {
namespace {

// One std::thread per task.
void RunThreads(void*, void (*task)(void* context, int64_t index), void* context, int64_t tasks) {
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < tasks; ++i) threads.emplace_back(task, context, i);
  for (std::thread& thread : threads) thread.join();
}

Parallel Threads(int threads) { return {threads, nullptr, RunThreads}; }

struct Ranges {
  std::vector<int> visits;  // how many ranges had each index
  int calls = 0;
  int64_t smallest = INT64_MAX;
};

Ranges Visit(const Parallel& parallel, int64_t count, int64_t grain) {
  Ranges ranges{std::vector<int>(count)};
  std::mutex mutex;
  ParallelFor(parallel, count, grain, [&](int64_t begin, int64_t end) {
    const std::lock_guard lock(mutex);
    ++ranges.calls;
    ranges.smallest = std::min(ranges.smallest, end - begin);
    for (int64_t i = begin; i < end; ++i) ++ranges.visits[i];
  });
  return ranges;
}

TEST(ParallelFor, VisitsEveryIndexOnce) {
  for (int threads : {1, 2, 3, 7}) {
    for (int64_t count : {1, 2, 6, 7, 100}) {
      const Ranges ranges = Visit(Threads(threads), count, 1);
      EXPECT_EQ(ranges.visits, std::vector<int>(count, 1)) << threads << " threads, " << count;
      const int64_t most = threads == 1 ? 1 : threads * kRangesPerThread;
      EXPECT_EQ(ranges.calls, std::min<int64_t>(most, count));
    }
  }
}

TEST(ParallelFor, DoesNothingForNoWork) {
  EXPECT_EQ(Visit(Threads(4), 0, 1).calls, 0);
  ParallelFor(Threads(4), -3, 1, [](int64_t, int64_t) { FAIL(); });
}

TEST(ParallelFor, KeepsToTheCallerByDefault) {
  const std::thread::id caller = std::this_thread::get_id();
  int calls = 0;
  ParallelFor(Parallel(), 1000, 1, [&](int64_t begin, int64_t end) {
    ++calls;
    EXPECT_EQ(begin, 0);
    EXPECT_EQ(end, 1000);
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
  EXPECT_EQ(calls, 1);
}

TEST(ParallelFor, DoesNotWakeThreadsForLessThanTwoGrains) {
  EXPECT_EQ(Visit(Threads(8), 100, 100).calls, 1);
  EXPECT_EQ(Visit(Threads(8), 199, 100).calls, 1);
  EXPECT_EQ(Visit(Threads(8), 200, 100).calls, 2);
  EXPECT_EQ(Visit(Threads(8), 1000, 250).calls, 4);
  EXPECT_EQ(Visit(Threads(2), 5, 0).calls, 5) << "a grain below 1 counts as 1";
}

// All threads get equally many.
TEST(ParallelFor, MakesMoreRangesThanThreadsOnlyWhereHelpPays) {
  EXPECT_EQ(Visit(Threads(2), 3200, 100).calls, 2);
  EXPECT_EQ(Visit(Threads(2), 4800, 100).calls, 2);
  EXPECT_EQ(Visit(Threads(2), 6400, 100).calls, 4);
  EXPECT_EQ(Visit(Threads(3), 8000, 100).calls, 3);
  EXPECT_EQ(Visit(Threads(2), 64000, 100).calls, 2 * kRangesPerThread);
}

TEST(ParallelFor, SplitsEvenly) {
  const Ranges ranges = Visit(Threads(4), 43, 1);
  EXPECT_EQ(ranges.calls, 4 * kRangesPerThread);
  EXPECT_EQ(ranges.smallest, 2);
}

}  // namespace
}  // namespace linnet
