// SPDX-License-Identifier: Apache-2.0
// How the work of a step becomes dispatches and command buffers. Skipped without a device.
#include <cstdint>
#include <vector>

#include "runtime/backends/vulkan/segment.h"
#include "tests/runtime/backends/vulkan/segment_fixture.h"
#include "tests/runtime/backends/vulkan/test_segment.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {
namespace {

using SegmentDispatchesTest = SegmentTest;

TEST_F(SegmentDispatchesTest, DispatchesOfManyWorkgroupsAreFolded) {
  if (!Open({.most_groups = 9})) GTEST_SKIP() << "no Vulkan device";
  // 81 workgroups of 64 quads are the most that fit; 73 needs nine rows of nine.
  for (const int64_t quads : {1, 9 * 64, 9 * 64 + 1, 73 * 64 - 5, 81 * 64}) {
    const TensorType type = F32({quads, 3});
    ASSERT_OK(test_.Open(backend_, 1 << 18, 0));
    Segment& segment = test_.segment();
    ASSERT_OK(segment.AddInput(type, 0));
    ASSERT_OK(test_.AddClamp(type.shape, 0, 1 << 17, -1, 1));
    ASSERT_OK(segment.AddOutput(type, 1 << 17));
    ASSERT_OK(segment.Finish());
    const std::vector<float> in = Ramp(quads * 3);
    std::vector<float> out(in.size());
    ASSERT_OK(segment.BindInput(0, in.data()));
    ASSERT_OK(segment.BindOutput(0, out.data()));
    ASSERT_OK(segment.Run());
    ASSERT_OK(segment.Fetch(0));
    EXPECT_EQ(out, Clamped(in, -1, 1)) << quads;
    test_.Destroy();
  }
  ASSERT_OK(test_.Open(backend_, 1 << 18, 0));
  EXPECT_EQ(test_.segment().AddInput(F32({81 * 64 + 1, 3}), 0).code(), StatusCode::kUnsupported);
}

TEST(FoldGroups, CoverAllThreads) {
  for (const int64_t threads :
       {int64_t{1}, int64_t{64}, int64_t{65}, int64_t{65535} * 64, int64_t{65535} * 64 + 1,
        (int64_t{1} << 31) - 1, int64_t{1} << 31}) {
    uint32_t groups[2];
    FoldGroups(threads, 65535, 1, groups);
    EXPECT_LE(groups[0], 65535u);
    EXPECT_LE(groups[1], 65535u);
    const int64_t all = int64_t{groups[0]} * groups[1] * kWorkgroupSize;
    EXPECT_GE(all, threads);
    EXPECT_LT(all - threads, int64_t{groups[1] + 1} * kWorkgroupSize);
    // What a shader computes with 32 bits does not wrap.
    EXPECT_LE(all, int64_t{1} << 32);
  }
}

TEST(FoldGroups, CanBeDivided) {
  for (const int64_t threads : {int64_t{1}, int64_t{100}, int64_t{64} * 1000, int64_t{1} << 31}) {
    for (const int64_t pieces : {1, 2, 7, 100, 1024}) {
      uint32_t groups[2];
      FoldGroups(threads, 65535, pieces, groups);
      const int64_t needed = (threads + 63) / 64;
      const int64_t all = int64_t{groups[0]} * groups[1];
      EXPECT_GE(all, needed);
      EXPECT_LT(all - needed, groups[0]);
      // No piece has more than its share, but for the workgroups that do not divide evenly.
      const int64_t rows = (groups[1] + pieces - 1) / pieces;
      EXPECT_LE((groups[0] - 1) * rows, needed / pieces + rows);
    }
  }
}

// Steps that take longer than the device's pace are divided, and command buffers with them.
TEST_F(SegmentDispatchesTest, LongDispatchesAreDivided) {
  constexpr int64_t kBytes = 1 << 18;
  const Shape shape{kBytes / 256, 64};  // 256 workgroups
  const int64_t step_ns = SlowNs(0, 2 * kBytes), half_ns = (step_ns + 1) / 2;
  const struct {
    Pace pace;
    int64_t dispatches, buffers;  // of three steps
  } rows[] = {
      {{}, 3, 1},
      {{.dispatch_ns = step_ns}, 3, 1},
      {{.dispatch_ns = step_ns - 1}, 6, 1},
      {{.dispatch_ns = step_ns / 7}, 3 * 8, 1},
      {{.dispatch_ns = 1}, 3 * 256, 1},
      {{.buffer_ns = step_ns}, 3, 3},
      {{.buffer_ns = 2 * step_ns}, 3, 2},
      {{.buffer_ns = step_ns, .dispatch_ns = half_ns}, 6, 3},
      {{.buffer_ns = 1, .dispatch_ns = half_ns}, 6, 6},
  };
  for (const auto& row : rows) {
    for (const uint32_t most_groups : {0, 30}) {
      SCOPED_TRACE(testing::Message() << row.dispatches << " of at most " << most_groups);
      if (!Open({.most_groups = most_groups})) GTEST_SKIP() << "no Vulkan device";
      if (most_groups > 0 && row.dispatches > 3 * most_groups) {
        TearDown();
        continue;
      }
      device_.set_pace(row.pace);
      ASSERT_OK(test_.Open(backend_, 2 * kBytes, 2 * kBytes));
      Segment& segment = test_.segment();
      ASSERT_OK(test_.AddClamp(shape, 0, kBytes, -3, 100));
      ASSERT_OK(test_.AddClamp(shape, kBytes, 0, -100, 2));
      ASSERT_OK(test_.AddClamp(shape, 0, kBytes, -2, 3));
      ASSERT_OK(segment.Finish());
      EXPECT_EQ(segment.num_dispatches(), row.dispatches);
      EXPECT_EQ(segment.num_buffers(), row.buffers);
      EXPECT_EQ(segment.num_pipelines(), 1);
      const std::vector<float> in = Ramp(kBytes / 4);
      std::vector<float> out(in.size());
      for (int run = 0; run < 2; ++run) {
        ASSERT_OK(FillArena(&test_.memory(), 0xffffffff));
        ASSERT_OK(WriteArena(&test_.memory(), 0, in.data(), kBytes));
        const int64_t submits = WatchedVulkan::calls_of("vkQueueSubmit");
        const int64_t waits = WatchedVulkan::calls_of("vkWaitForFences");
        ASSERT_OK(segment.Run());
        EXPECT_EQ(WatchedVulkan::calls_of("vkQueueSubmit") - submits, row.buffers);
        EXPECT_EQ(WatchedVulkan::calls_of("vkWaitForFences") - waits, 1);
        ASSERT_OK(ReadArena(&test_.memory(), kBytes, out.data(), kBytes));
        EXPECT_EQ(out, Clamped(in, -2, 2));
      }
      EXPECT_EQ(WatchedVulkan::calls_of("vkCmdDispatchBase") > 0, row.dispatches > 3);
      TearDown();
    }
  }
}

// vkCmdDispatchBase may run the pipelines of divided dispatches, and all on NVIDIA's devices, whose
// driver confuses the two kinds.
TEST_F(SegmentDispatchesTest, PipelinesForParts) {
  constexpr uint32_t kAmd = 0x1002, kNvidia = 0x10de;
  for (const uint32_t vendor : {kAmd, kNvidia}) {
    SCOPED_TRACE(vendor);
    if (!Open({.vendor_id = vendor})) GTEST_SKIP() << "no Vulkan device";
    RunChain();
    EXPECT_EQ(WatchedVulkan::pipelines(), 3);
    EXPECT_EQ(WatchedVulkan::pipelines_of_parts(), vendor == kNvidia ? 3 : 0);
    TearDown();
  }
}

}  // namespace
}  // namespace linnet::vulkan
