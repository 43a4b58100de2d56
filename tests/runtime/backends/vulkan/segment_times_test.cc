// SPDX-License-Identifier: Apache-2.0
// What a segment measures of its steps. Skipped without a device.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "runtime/backends/vulkan/segment.h"
#include "tests/runtime/backends/vulkan/segment_fixture.h"
#include "tests/runtime/backends/vulkan/test_segment.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {
namespace {

using SegmentTimesTest = SegmentTest;

TEST_F(SegmentTimesTest, StepTimes) {
  for (const bool no_timestamps : {false, true}) {
    if (!Open({.no_timestamps = no_timestamps})) GTEST_SKIP() << "no Vulkan device";
    ASSERT_OK(test_.Open(backend_, 1 << 20, 0));
    Segment& segment = test_.segment();
    const TensorType type = F32({1 << 10, 64});
    ASSERT_OK(segment.AddInput(type, 0));
    ASSERT_OK(test_.AddClamp({1 << 10, 64}, 0, 1 << 18, -1, 1));
    ASSERT_OK(test_.AddClamp({0, 64}, 0, 0, -1, 1));  // does nothing
    ASSERT_OK(test_.AddClamp({1 << 10, 64}, 1 << 18, 1 << 19, -1, 1));
    ASSERT_OK(segment.AddOutput(type, 1 << 19));
    ASSERT_OK(segment.Finish());
    std::vector<float> values = Ramp(1 << 16);
    ASSERT_OK(segment.BindInput(0, values.data()));
    ASSERT_OK(segment.BindOutput(0, values.data()));
    std::vector<int64_t> times(3, -1);
    ASSERT_OK(segment.Run());
    segment.StepTimes(times);
    EXPECT_EQ(times, (std::vector<int64_t>{0, 0, 0}));
    segment.EnableProfile(true);
    ASSERT_OK(segment.Run());
    segment.StepTimes(times);
    EXPECT_GT(times[0], 0);
    EXPECT_GT(times[2], 0);
    EXPECT_EQ(times[1], 0);
    if (no_timestamps) {
      EXPECT_EQ(WatchedVulkan::calls_of("vkCmdWriteTimestamp"), 0);
    } else {
      // Before and after each of: the input's copy, two steps, the output's copy.
      EXPECT_EQ(WatchedVulkan::calls_of("vkCmdWriteTimestamp"), 5);
    }
    segment.EnableProfile(false);
    ASSERT_OK(segment.Run());
    TearDown();
  }
}

// On the host's clock, in a segment of some milliseconds of work. The sums never exceed the run;
// how much of it they are short of it depends on what else the machine does, so the best of some
// runs counts. A graphics card does the work in less time than it takes to submit it.
TEST_F(SegmentTimesTest, StepTimesAddUpToTheRun) {
  constexpr int64_t kLeastNs = 2'000'000;
  int short_runs = 0;
  const Pace whole = PaceOf(DeviceClass::kCpu), cut = {.buffer_ns = 1, .dispatch_ns = 1'000'000};
  for (const auto& [no_timestamps, pace] :
       {std::pair(false, whole), std::pair(true, whole), std::pair(false, cut)}) {
    SCOPED_TRACE(no_timestamps);
    if (!Open({.no_timestamps = no_timestamps})) GTEST_SKIP() << "no Vulkan device";
    device_.set_pace(pace);
    constexpr int kSteps = 16;
    constexpr int64_t kBytes = int64_t{8} << 20;
    const Shape shape{kBytes / 256, 64};
    ASSERT_OK(test_.Open(backend_, 2 * kBytes, 0));
    Segment& segment = test_.segment();
    for (int i = 0; i < kSteps; ++i)
      ASSERT_OK(test_.AddClamp(shape, i % 2 * kBytes, (i + 1) % 2 * kBytes, -1, 1));
    ASSERT_OK(segment.Finish());
    // A step moves 16 MiB, which takes 3.4 ms.
    EXPECT_EQ(segment.num_buffers(), pace.buffer_ns == 1 ? 4 * kSteps : 1);
    segment.EnableProfile(true);
    ASSERT_OK(segment.Run());  // compiles
    double best = 0;
    int64_t least_ns = INT64_MAX;
    for (int run = 0; run < 10 && best < 0.9; ++run) {
      const auto start = std::chrono::steady_clock::now();
      ASSERT_OK(segment.Run());
      const auto end = std::chrono::steady_clock::now();
      const auto run_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count();
      std::vector<int64_t> times(kSteps);
      segment.StepTimes(times);
      const int64_t sum = std::accumulate(times.begin(), times.end(), int64_t{0});
      EXPECT_GE(segment.WaitNs(), 0);
      EXPECT_LE(sum + segment.WaitNs(), run_ns);
      EXPECT_EQ(segment.WaitNs() > 0, !no_timestamps);
      least_ns = std::min<int64_t>(least_ns, run_ns);
      best = std::max(best, static_cast<double>(sum) / static_cast<double>(run_ns));
    }
    if (least_ns < kLeastNs) {
      ++short_runs;
    } else {
      EXPECT_GE(best, 0.9);
    }
    TearDown();
  }
  if (short_runs > 0)
    GTEST_SKIP() << "in " << short_runs << " of 3 segments the GPU's work is too short to compare";
}

}  // namespace
}  // namespace linnet::vulkan
