// SPDX-License-Identifier: Apache-2.0
// How few calls of Vulkan a net with the extents of MobileNetV2 needs, seen through the function
// table.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "tests/runtime/backends/vulkan/prepared_net.h"
#include "tests/runtime/backends/vulkan/shaped_nets.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {
namespace {

class EconomyTest : public testing::Test {
 protected:
  void SetUp() override {
    const PFN_vkGetInstanceProcAddr get = WatchedVulkan::Get();
    if (get == nullptr) GTEST_SKIP() << "no Vulkan library";
    WatchedVulkan::Reset();
    const Status status = device_.Open(get, nullptr);
    if (!status.ok()) GTEST_SKIP() << status.what();
    device_.set_pace({});  // of a GPU, even where this one is in software
  }
  void TearDown() override { device_.Close(); }

  Device device_;
};

int64_t Calls(const char* name) { return WatchedVulkan::calls_of(name); }

// A run submits once and waits once, and makes no other call than to reset the fence: the rest was
// made before.
void ExpectRunsOfOneSubmit(Interpreter& session) {
  RunOnce(session);  // may record, since inputs and outputs were bound
  const int64_t calls = WatchedVulkan::calls();
  const int64_t submits = Calls("vkQueueSubmit"), waits = Calls("vkWaitForFences");
  constexpr int kRuns = 3;
  for (int i = 0; i < kRuns; ++i) RunOnce(session);
  EXPECT_EQ(Calls("vkQueueSubmit") - submits, kRuns);
  EXPECT_EQ(Calls("vkWaitForFences") - waits, kRuns);
  EXPECT_EQ(WatchedVulkan::calls() - calls, 3 * kRuns);
}

// Prints the least that a run takes outside the wait. No limit is checked: it is a time.
void PrintHostTime(Interpreter& session) {
  using std::chrono::steady_clock;
  int64_t least = INT64_MAX;
  for (int i = 0; i < 5; ++i) {
    const int64_t waited = WatchedVulkan::waited_ns();
    const auto start = steady_clock::now();
    ASSERT_TRUE(session.Run().ok());
    const int64_t total = (steady_clock::now() - start) / std::chrono::nanoseconds(1);
    least = std::min(least, total - (WatchedVulkan::waited_ns() - waited));
  }
  std::printf("%.3f ms of a run are outside the wait\n", static_cast<double>(least) / 1e6);
}

TEST_F(EconomyTest, MobileNetV2NeedsFewCalls) {
  const std::vector<std::byte> plan = PlanFor(MobileNetV2Shaped(true));
  PreparedNet net(plan, &device_);
  Status status = net.Prepare();
  ASSERT_TRUE(status.ok()) << status.what() << net.problem();
  {
    Region region;
    Diagnostic diagnostic;
    Interpreter session(&region, &net.weights());
    status = session.Create({}, &diagnostic);
    ASSERT_TRUE(status.ok()) << status.what() << diagnostic.text;
    EXPECT_EQ(Calls("vkQueueSubmit"), 0);  // where the host can access the device's memory
    EXPECT_EQ(Calls("vkCreateComputePipelines"), 1);
    EXPECT_LE(Calls("vkAllocateMemory"), 8);
    ExpectRunsOfOneSubmit(session);
    PrintHostTime(session);
  }
  // 65 steps, and two that copy; ten residuals are added by the convolutions before them.
  EXPECT_EQ(Calls("vkCmdDispatch"), 57);
  EXPECT_GT(Calls("vkDestroyPipeline"), 0);
  EXPECT_LE(Calls("vkDestroyPipeline"), 40);
  std::printf("%lld pipelines, %lld allocations of memory\n",
              static_cast<long long>(Calls("vkDestroyPipeline")),
              static_cast<long long>(Calls("vkAllocateMemory")));
}

}  // namespace
}  // namespace linnet::vulkan
