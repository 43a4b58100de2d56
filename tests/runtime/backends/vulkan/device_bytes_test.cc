// SPDX-License-Identifier: Apache-2.0
// What a session says that it uses of a device's memory, compared with what it took from Vulkan.
#include <gtest/gtest.h>

#include "runtime/backends/portable/backend.h"
#include "runtime/backends/vulkan/backend.h"
#include "runtime/backends/vulkan/device.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"
#include "tests/runtime/session/opened_plan.h"
#include "tests/runtime/session/placed_plan.h"

namespace linnet::vulkan {
namespace {

// All steps on the device; and segments with a step of the host between them.
constexpr const char* kGraphs[] = {
    R"(x = arg f32[30,40,3] a = Unary(x) {kind: Exp} b = Binary(a, const f32[3] {1, 2, 3}) {kind: Add}
       out = ret(b))",
    R"(x = arg f32[30,40] a = Unary(x) {kind: Exp} b = Softmax(a) c = Unary(b) {kind: Neg}
       out = ret(c))",
};

class DeviceBytesTest : public testing::TestWithParam<const char*> {
 protected:
  // The bytes in use while a session of the plan is open, and how many allocations those are.
  void Measure(const Profile& profile) {
    const PFN_vkGetInstanceProcAddr get = WatchedVulkan::Get();
    if (get == nullptr) GTEST_SKIP() << "no Vulkan library";
    WatchedVulkan::Reset(profile);
    Device device;
    if (!device.Open(get, nullptr).ok()) GTEST_SKIP() << "no Vulkan device";
    {
      const VulkanBackend backend(&device);
      const Backend* const backends[] = {&backend, &portable::GetBackend()};
      OpenedPlan plan(PlacedPlan(Layout::kRows4, GetParam()));
      ASSERT_TRUE(plan.Open(backends).ok()) << plan.diagnostic.text;
      const int64_t counted = plan.session.bytes().devices + plan.session.weights().device_bytes();
      EXPECT_EQ(counted, WatchedVulkan::live_bytes());
      const int64_t allocations = WatchedVulkan::calls_of("vkAllocateMemory");
      // Memory of the caller takes no more, and neither does a run.
      std::vector<float> input(3600, 0.5f), output(3600);
      const int64_t bytes = plan.session.input_type(0).bytes();
      ASSERT_TRUE(plan.session.BindInput(0, {input.data(), bytes}).ok());
      ASSERT_TRUE(plan.session.BindOutput(0, {output.data(), bytes}).ok());
      for (int run = 0; run < 2; ++run) ASSERT_TRUE(plan.session.Run().ok());
      EXPECT_NE(output[0], 0.0f);
      EXPECT_EQ(WatchedVulkan::calls_of("vkAllocateMemory"), allocations);
      EXPECT_EQ(WatchedVulkan::live_bytes(), counted);
    }
    device.Close();
    EXPECT_EQ(WatchedVulkan::live_bytes(), 0);
  }
};
INSTANTIATE_TEST_SUITE_P(Graphs, DeviceBytesTest, testing::ValuesIn(kGraphs));

TEST_P(DeviceBytesTest, AreWhatVulkanAllocated) { Measure({}); }
TEST_P(DeviceBytesTest, OfADiscreteDevice) { Measure({.discrete = true}); }

// The inputs and outputs of a model that runs on the device as a whole are there once.
TEST(DeviceAllocations, AreFew) {
  const PFN_vkGetInstanceProcAddr get = WatchedVulkan::Get();
  if (get == nullptr) GTEST_SKIP() << "no Vulkan library";
  WatchedVulkan::Reset();
  Device device;
  if (!device.Open(get, nullptr).ok()) GTEST_SKIP() << "no Vulkan device";
  {
    const VulkanBackend backend(&device);
    const Backend* const backends[] = {&backend, &portable::GetBackend()};
    OpenedPlan plan(PlacedPlan(Layout::kRows4, kGraphs[0]));
    ASSERT_TRUE(plan.Open(backends).ok()) << plan.diagnostic.text;
    // The arena, the memory that both access, and the weights.
    EXPECT_EQ(WatchedVulkan::calls_of("vkAllocateMemory"), 3);
  }
  device.Close();
}

}  // namespace
}  // namespace linnet::vulkan
