// SPDX-License-Identifier: Apache-2.0
// The room as builds without threads have it: linked instead of the other files.
#include <gtest/gtest.h>

#include <numeric>
#include <type_traits>
#include <vector>

#include "runtime/threads/background_thread.h"
#include "runtime/threads/cores.h"
#include "runtime/threads/mutex.h"
#include "runtime/threads/team.h"

namespace linnet {
namespace {

TEST(NoThreads, ATeamIsTheCallerAlone) {
  Team* team = Team::Open(4);
  ASSERT_NE(team, nullptr);
  EXPECT_EQ(team->threads(), 1);
  std::vector<int64_t> seen;
  ParallelFor(team->parallel(), 100, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) seen.push_back(i);
  });
  std::vector<int64_t> wanted(100);
  std::iota(wanted.begin(), wanted.end(), 0);
  EXPECT_EQ(seen, wanted);
  team->Close();
  EXPECT_EQ(AvailableCores(), 1);
}

TEST(NoThreads, NothingRunsInTheBackground) {
  BackgroundThread thread;
  const auto fail = [](void*) { ADD_FAILURE(); };
  EXPECT_FALSE(thread.Begin(fail, nullptr));
  EXPECT_EQ(thread.Wait(-1), BackgroundThread::Outcome::kGone);
}

TEST(NoThreads, LocksAreNothing) {
  Mutex mutex;
  const Lock one(mutex), two(mutex);
  EXPECT_TRUE(std::is_empty_v<Mutex>);
}

}  // namespace
}  // namespace linnet
