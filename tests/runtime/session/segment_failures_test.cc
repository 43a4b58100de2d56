// SPDX-License-Identifier: Apache-2.0
// What a session on devices does when a call of the backend fails, or when its block is too small.
#include <gtest/gtest.h>

#include <vector>

#include "tests/plans/graph_plan.h"
#include "tests/runtime/session/two_devices.h"

namespace linnet {
namespace {

constexpr char kSevenSteps[] = R"(
  x = arg f32[4] a = Binary(x, const f32[4] {1, 2, 3, 4}) {kind: Add} b = Softmax(a) c = Unary(b) {kind: Neg}
  d = Binary(c, a) {kind: Mul} out = ret(d) two = ret(c))";
// Of the device: weights, three steps to pack, memory, two segments with three steps, two inputs
// and three outputs, the ends of both segments, and what a session binds: inputs and outputs.
constexpr int kCalls = 1 + 3 + 1 + 2 + 3 + 2 + 3 + 2 + 2 + 3;

TEST(SegmentFailures, EachCallThatFailsIsAnErrorAndLeavesNothing) {
  const std::vector<std::byte> bytes = PlacedPlan(kSevenSteps);
  for (const bool map_memory : {false, true}) {
    for (int calls = 0; calls <= kCalls; ++calls) {
      Devices devices(map_memory);
      devices.vulkan.FailAfter(calls);
      {
        OpenedPlan plan(bytes);
        const Status status = plan.Open(devices.all());
        EXPECT_EQ(status.code(), calls < kCalls ? StatusCode::kNoMemory : StatusCode::kOk) << calls;
        ASSERT_EQ(Segments(plan),
                  "vulkan: Copy Binary | Copy Softmax | vulkan: Copy Unary Binary | Copy Copy");
        if (status.ok()) {
          devices.vulkan.FailAfter(-1);
          ExpectSameOutputs(&plan, TextPlan(kSevenSteps));
        }
      }
      EXPECT_EQ(devices.vulkan.counts().alive, 0) << calls;
    }
  }
}

// After a bind that failed, the next one succeeds and the session runs.
TEST(SegmentFailures, ABindThatFailsCanBeRepeated) {
  Devices devices;
  OpenedPlan plan(PlacedPlan(kSevenSteps));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  alignas(64) float memory[32] = {};
  devices.vulkan.FailAfter(0);
  EXPECT_EQ(plan.session.BindInput(0, {memory, sizeof(memory)}).code(), StatusCode::kNoMemory);
  devices.vulkan.FailAfter(-1);
  EXPECT_TRUE(plan.session.BindInput(0, {memory, sizeof(memory)}).ok());
  EXPECT_TRUE(plan.session.BindInput(0, {}).ok());
  ExpectSameOutputs(&plan, TextPlan(kSevenSteps));
}

TEST(SegmentFailures, TheHostsMemoryIsInTheBlock) {
  const std::vector<std::byte> bytes = PlacedPlan(kSevenSteps);
  Devices devices;
  int64_t needed = 0;
  {
    OpenedPlan plan(bytes);
    ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
    needed = plan.session.bytes().total;
  }
  std::vector<std::byte> memory(static_cast<size_t>(needed) + kHostAlignment);
  const auto skip = -reinterpret_cast<uintptr_t>(memory.data()) & (kHostAlignment - 1);
  const std::span<std::byte> block(memory.data() + skip, static_cast<size_t>(needed));
  {
    OpenedPlan plan(bytes, block);
    ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
    ExpectSameOutputs(&plan, TextPlan(kSevenSteps));
  }
  for (size_t size = 0; size < block.size(); size += 64) {
    OpenedPlan plan(bytes, block.first(size));
    EXPECT_EQ(plan.Open(devices.all()).code(), StatusCode::kNoMemory) << size;
  }
  EXPECT_EQ(devices.vulkan.counts().alive, 0);
}

}  // namespace
}  // namespace linnet
