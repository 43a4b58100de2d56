// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/pace.h"

#include <gtest/gtest.h>

namespace linnet::vulkan {
namespace {

constexpr int64_t kMs = 1'000'000, kSecond = 1000 * kMs;

TEST(SlowNs, IsThatOfWhatTakesLonger) {
  EXPECT_EQ(SlowNs(0, 0), 0);
  EXPECT_EQ(SlowNs(int64_t{50} << 30, 1), kSecond * (1 << 30) / 1'000'000'000);
  EXPECT_EQ(SlowNs(1, int64_t{5} * 1'000'000), kMs);
  EXPECT_GT(SlowNs(INT64_MAX, INT64_MAX), 0);
}

TEST(TimeoutNs, IsFiftyTimesWhatASlowGpuNeeds) {
  constexpr DeviceClass kMali = DeviceClass::kMali, kCpu = DeviceClass::kCpu;
  EXPECT_EQ(TimeoutNs(kMali, 100 * kMs, false), 5 * kSecond);
  EXPECT_EQ(TimeoutNs(kMali, 100 * kMs, true), 15 * kSecond);
  EXPECT_EQ(TimeoutNs(kMali, kMs, false), 2 * kSecond);
  EXPECT_EQ(TimeoutNs(kMali, INT64_MAX, false), 3600 * kSecond);
  EXPECT_EQ(TimeoutNs(kCpu, 100 * kMs, false), 150 * kSecond);
}

TEST(PiecesOf, NoneIsLongerThanAllowed) {
  const Pace pace = {.dispatch_ns = 100};
  EXPECT_EQ(PiecesOf(0, pace), 1);
  EXPECT_EQ(PiecesOf(100, pace), 1);
  EXPECT_EQ(PiecesOf(101, pace), 2);
  EXPECT_EQ(PiecesOf(1000, pace), 10);
  EXPECT_EQ(PiecesOf(INT64_MAX, pace), 1024);
}

TEST(PaceOf, OnlyGpusAreShared) {
  const Pace gpu = PaceOf(DeviceClass::kAdreno), software = PaceOf(DeviceClass::kCpu);
  EXPECT_EQ(PiecesOf(kSecond, gpu), 5);
  EXPECT_EQ(gpu.buffer_ns, 20 * kMs);
  EXPECT_EQ(PiecesOf(INT64_MAX, software), 1);
  EXPECT_EQ(software.buffer_ns, INT64_MAX);
}

}  // namespace
}  // namespace linnet::vulkan
