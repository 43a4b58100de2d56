// SPDX-License-Identifier: Apache-2.0
#include "runtime/threads/attendance.h"

#include <gtest/gtest.h>

namespace linnet {
namespace {

constexpr int64_t kMs = 1'000'000;

TEST(Attendance, ALossExcusesForItsTimeAndThenTwiceThat) {
  Attendance attendance;
  EXPECT_FALSE(attendance.Excused(0));
  attendance.Stalled(10 * kMs, 4 * kMs, 1 * kMs);
  EXPECT_TRUE(attendance.Excused(14 * kMs - 1));
  EXPECT_FALSE(attendance.Excused(14 * kMs));
  attendance.Stalled(20 * kMs, 4 * kMs, 1 * kMs);
  EXPECT_TRUE(attendance.Excused(28 * kMs - 1));
  EXPECT_FALSE(attendance.Excused(28 * kMs));
}

TEST(Attendance, AHelpfulWorkerIsNotExcused) {
  Attendance attendance;
  attendance.Stalled(10 * kMs, 4 * kMs, 1 * kMs);
  attendance.Stalled(20 * kMs, 4 * kMs, 4 * kMs);
  EXPECT_FALSE(attendance.Excused(20 * kMs));
  attendance.Stalled(30 * kMs, 4 * kMs, 0);  // the next loss is counted from zero
  EXPECT_FALSE(attendance.Excused(34 * kMs));
}

TEST(Attendance, ExcusesAreBounded) {
  Attendance attendance;
  for (int i = 0; i < 40; ++i) attendance.Stalled(0, 100 * kMs, 0);
  EXPECT_FALSE(attendance.Excused(250 * kMs));
  for (int i = 0; i < 40; ++i) attendance.Woken(0, kMs);
  EXPECT_FALSE(attendance.ExcusedFromWaking(250 * kMs));
}

TEST(Attendance, ALateWorkerIsNotWokenForAWhile) {
  Attendance attendance;
  attendance.Woken(0, Attendance::kLateNs);
  EXPECT_FALSE(attendance.ExcusedFromWaking(0));
  attendance.Woken(0, Attendance::kLateNs + 1);
  EXPECT_TRUE(attendance.ExcusedFromWaking(kMs / 2 - 1));
  EXPECT_FALSE(attendance.ExcusedFromWaking(kMs / 2));
  EXPECT_FALSE(attendance.Excused(0)) << "should it be awake, it may help";
  attendance.Woken(kMs, kMs);
  EXPECT_TRUE(attendance.ExcusedFromWaking(2 * kMs - 1));
  attendance.Woken(5 * kMs, 0);
  attendance.Woken(5 * kMs, kMs);
  EXPECT_FALSE(attendance.ExcusedFromWaking(5 * kMs + kMs / 2)) << "it has been in time between";
}

TEST(Stay, EndsAfterHalfOfWhatTheSchedulerGave) {
  Stay stay;
  stay.Woke(0);
  EXPECT_FALSE(stay.Over(100 * kMs));
  stay.LostCore(8 * kMs);
  stay.Woke(20 * kMs);
  EXPECT_FALSE(stay.Over(24 * kMs));
  EXPECT_TRUE(stay.Over(24 * kMs + 1));
}

TEST(Stay, GrowsWithEveryTimeThatItEndsInTime) {
  Stay stay;
  stay.LostCore(8 * kMs);
  for (int i = 0; i < 200; ++i) stay.Left();
  EXPECT_FALSE(stay.Over(500 * kMs));
}

TEST(Stay, IsNeverTooShortToHelp) {
  Stay stay;
  stay.LostCore(0);
  EXPECT_FALSE(stay.Over(200'000));
}

}  // namespace
}  // namespace linnet
