// SPDX-License-Identifier: Apache-2.0
#include "runtime/threads/team.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <set>
#include <thread>

#include "tests/runtime/threads/opened_team.h"

namespace linnet {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

void BeBusyFor(microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(Team, CallsEachIndexOnce) {
  for (int threads = 1; threads <= 8; ++threads) {
    const OpenedTeam team = OpenTeam(threads);
    EXPECT_EQ(team->threads(), threads);
    for (const int64_t tasks : {0, 1, 2, 3, 7, 8, 33, 1000})
      for (int i = 0; i < 20; ++i)
        ASSERT_TRUE(VisitsEachOnce(*team, tasks)) << threads << " threads, " << tasks << " tasks";
  }
}

TEST(Team, CallsEachIndexOnceWithWorkersSpinningFallingAsleepAndAsleep) {
  const OpenedTeam team = OpenTeam(3);
  for (const int pause : {0, 20, 45, 50, 55, 60, 100, 1000})
    for (int i = 0; i < 50; ++i) {
      if (pause > 0) std::this_thread::sleep_for(microseconds(pause));
      ASSERT_TRUE(VisitsEachOnce(*team, 12)) << pause;
    }
}

// Runs jobs until workers have run tasks of one of them; each task calls `body`. On a busy machine
// a worker may come late, so it gets a minute. Returns false when none came.
template <typename Body>
bool RunUntilWorkersHelp(Team& team, const Body& body) {
  const std::thread::id caller = std::this_thread::get_id();
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  std::atomic<bool> helped = false;
  while (!helped && std::chrono::steady_clock::now() < end)
    RunOn(team, 8, [&](int64_t) {
      BeBusyFor(microseconds(100));
      if (std::this_thread::get_id() == caller) return;
      body();
      helped = true;
    });
  return helped;
}

TEST(Team, WorkersHelp) {
  const OpenedTeam team = OpenTeam(2);
  EXPECT_TRUE(RunUntilWorkersHelp(*team, [] {}));
}

TEST(Team, TasksOfUnequalLengthAreDoneByAnyFreeThread) {
  const OpenedTeam team = OpenTeam(4);
  std::vector<int> visits(64);
  RunOn(*team, 64, [&](int64_t i) {
    if (i < 8) BeBusyFor(microseconds(500));
    ++visits[static_cast<size_t>(i)];
  });
  EXPECT_EQ(visits, std::vector<int>(64, 1));
}

TEST(Team, AJobWithinATaskRunsOnTheSameThread) {
  const OpenedTeam team = OpenTeam(4);
  std::atomic<int> calls = 0;
  RunOn(*team, 16, [&](int64_t) {
    const std::thread::id self = std::this_thread::get_id();
    RunOn(*team, 10, [&](int64_t) {
      EXPECT_EQ(std::this_thread::get_id(), self);
      ++calls;
    });
  });
  EXPECT_EQ(calls, 160);
}

TEST(Team, ThreeCallersShareIt) {
  const OpenedTeam team = OpenTeam(3);
  std::vector<std::thread> callers;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 3; ++t)
    callers.emplace_back([&] {
      for (int i = 0; i < 300; ++i) wrong += VisitsEachOnce(*team, 1 + i % 30) ? 0 : 1;
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Team, SeveralTeamsAtOnce) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&] {
      const OpenedTeam team = OpenTeam(3);
      for (int i = 0; i < 300; ++i) wrong += VisitsEachOnce(*team, 1 + i % 30) ? 0 : 1;
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

// A later thread may call a team that another thread opened, and the last thread closes it.
TEST(Team, BelongsToNoThread) {
  OpenedTeam team = OpenTeam(3);
  std::thread([&] { EXPECT_TRUE(VisitsEachOnce(*team, 20)); }).join();
  std::thread([&] {
    EXPECT_TRUE(VisitsEachOnce(*team, 20));
    team.reset();
  }).join();
}

// A team that was never used, one used just now, and one that sleeps.
TEST(Team, OpensAndClosesAThousandTimes) {
  for (int i = 0; i < 1000; ++i) {
    const OpenedTeam team = OpenTeam(2 + i % 7);
    if (i % 3 != 0) {
      ASSERT_TRUE(VisitsEachOnce(*team, 8));
    }
    if (i % 50 == 1) std::this_thread::sleep_for(milliseconds(1));
  }
}

TEST(Team, TakesNoTimeAfterAJob) {
  const OpenedTeam team = OpenTeam(4);
  EXPECT_TRUE(VisitsEachOnce(*team, 100));
  std::this_thread::sleep_for(milliseconds(20));
  const std::clock_t before = std::clock();
  std::this_thread::sleep_for(milliseconds(200));
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 50);
}

TEST(Team, MoreThreadsThanCoresFinish) {
  const OpenedTeam team = OpenTeam(64);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(VisitsEachOnce(*team, 256));
}

TEST(Team, HasOneThreadForNoneAndABoundForMany) {
  EXPECT_EQ(OpenTeam(0)->threads(), 1);
  EXPECT_EQ(OpenTeam(-5)->threads(), 1);
  const OpenedTeam many = OpenTeam(INT32_MAX);
  EXPECT_LE(many->threads(), 256);
  EXPECT_TRUE(VisitsEachOnce(*many, 1000));
}

TEST(Team, WorkersFlushDenormalsAsRunsDo) {
  const OpenedTeam team = OpenTeam(2);
  std::atomic<int> kept = 0;
  EXPECT_TRUE(RunUntilWorkersHelp(*team, [&] {
    volatile float smallest = 1.17549435e-38f, half = 0.5f;
    if (smallest * half != 0.0f) ++kept;
  }));
#if defined(__SSE__) || defined(__aarch64__) || defined(__ARM_FP)
  EXPECT_EQ(kept, 0);
#endif
}

}  // namespace
}  // namespace linnet
