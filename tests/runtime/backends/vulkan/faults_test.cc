// SPDX-License-Identifier: Apache-2.0
// Each call of Vulkan fails in turn: that is an error, and nothing stays behind. After the device
// is lost, nothing of it is used any more.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/runtime/backends/vulkan/test_segment.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {
namespace {

// Memory that needs copies and flushes, so that all functions are called.
constexpr Profile kProfile = {.discrete = true, .non_coherent = true};

// A session's life: opens the device, packs, builds, runs with and without profile, stores what the
// driver compiled. `cache` is what an earlier life stored, and then what this one does.
Status Live(PFN_vkGetInstanceProcAddr get, Device& device, TestSegment& test,
            std::vector<std::byte>& cache) {
  LINNET_RETURN_IF_ERROR(device.Open(get, nullptr));
  device.set_pace({.buffer_ns = 1});  // each dispatch is submitted alone
  static const TensorType type{DType::kFloat32, {5, 3}};
  const VulkanBackend backend(&device);
  LINNET_RETURN_IF_ERROR(test.Open(backend, 1024, 256, 256, cache));
  Segment& segment = test.segment();
  LINNET_RETURN_IF_ERROR(segment.AddInput(type, 0));
  LINNET_RETURN_IF_ERROR(test.AddClamp(type.shape, 0, 256, -1, 1));
  LINNET_RETURN_IF_ERROR(test.AddClampOf(type.shape, Ramp(15), 512, -2, 2));
  LINNET_RETURN_IF_ERROR(segment.AddOutput(type, 256));
  LINNET_RETURN_IF_ERROR(segment.AddOutput(type, 512));
  LINNET_RETURN_IF_ERROR(segment.Finish());
  const std::vector<float> input = Ramp(15);
  std::vector<float> first(15), second(15);
  LINNET_RETURN_IF_ERROR(segment.BindInput(0, input.data()));
  LINNET_RETURN_IF_ERROR(segment.BindOutput(0, first.data()));
  LINNET_RETURN_IF_ERROR(segment.BindOutput(1, second.data()));
  for (const bool profile : {false, true}) {
    segment.EnableProfile(profile);
    LINNET_RETURN_IF_ERROR(segment.Run());
    LINNET_RETURN_IF_ERROR(segment.Fetch(0));
    LINNET_RETURN_IF_ERROR(segment.Fetch(1));
    EXPECT_EQ(first, Clamped(input, -1, 1));
    EXPECT_EQ(second, Clamped(input, -2, 2));
  }
  const int64_t bytes = test.weights()->SaveCache(nullptr, 0);
  cache.resize(static_cast<size_t>(bytes));
  cache.resize(static_cast<size_t>(test.weights()->SaveCache(cache.data(), bytes)));
  return device.lost() ? Status(StatusCode::kDeviceLost, "lost in the end") : Status();
}

// Functions without which everything works too.
bool IsOptional(const char* name) {
  return std::strstr(name, "ExtensionProperties") != nullptr ||
         std::strstr(name, "PipelineCache") != nullptr ||
         std::strcmp(name, "vkCreateQueryPool") == 0;
}

class FaultsTest : public testing::Test {
 protected:
  void SetUp() override {
    get_ = WatchedVulkan::Get();
    if (get_ == nullptr) GTEST_SKIP() << "no Vulkan library";
    WatchedVulkan::Reset(kProfile);
    Device device;
    TestSegment test;
    const Status status = Live(get_, device, test, cache_);
    test.Destroy();
    device.Close();
    if (status.code() == StatusCode::kUnsupported) GTEST_SKIP() << status.what();
    ASSERT_TRUE(status.ok()) << status.what();
    ASSERT_EQ(WatchedVulkan::live(), 0);
    ASSERT_STREQ(WatchedVulkan::misuse(), "");
    calls_ = WatchedVulkan::calls();
    ASSERT_GT(calls_, 50);
    ASSERT_EQ(WatchedVulkan::calls_of("vkCreatePipelineCache"), 1);
    ASSERT_GT(WatchedVulkan::calls_of("vkQueueSubmit"), 8);
    ASSERT_GE(cache_.size(), sizeof(VkPipelineCacheHeaderVersionOne));
  }

  PFN_vkGetInstanceProcAddr get_ = nullptr;
  std::vector<std::byte> cache_;  // of a life in which nothing failed
  int64_t calls_ = 0;
};

TEST_F(FaultsTest, EachCallFailsInTurn) {
  for (const VkResult result : {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_INITIALIZATION_FAILED}) {
    const StatusCode want =
        result == VK_ERROR_OUT_OF_DEVICE_MEMORY ? StatusCode::kNoMemory : StatusCode::kUnsupported;
    for (int64_t call = 0; call < calls_; ++call) {
      WatchedVulkan::Reset(kProfile);
      WatchedVulkan::FailAt(call, result);
      Device device;
      TestSegment test;
      std::vector<std::byte> cache = cache_;
      const Status status = Live(get_, device, test, cache);
      const std::string name = WatchedVulkan::failed();
      if (IsOptional(name.c_str())) {
        EXPECT_TRUE(status.ok()) << name << ": " << status.what();
      } else if (name == "vkWaitForFences") {
        EXPECT_EQ(status.code(), StatusCode::kDeviceLost) << name;
        EXPECT_EQ(WatchedVulkan::calls_after_failure(), 0);
        continue;
      } else {
        EXPECT_EQ(status.code(), want) << name << ": " << status.what();
      }
      test.Destroy();
      device.Close();
      EXPECT_EQ(WatchedVulkan::live(), 0) << "call " << call << ", " << name;
      EXPECT_STREQ(WatchedVulkan::misuse(), "") << name;
    }
  }
}

// Lost devices and their objects leak by intent; here they stay reachable, so that leak checkers
// are silent.
TEST_F(FaultsTest, ALostDeviceIsLeftAlone) {
  static std::vector<std::unique_ptr<Device>> leaked;
  for (int64_t call = 0; call < calls_; ++call) {
    WatchedVulkan::Reset(kProfile);
    WatchedVulkan::FailAt(call, VK_ERROR_DEVICE_LOST);
    auto device = std::make_unique<Device>();
    TestSegment test;
    std::vector<std::byte> cache = cache_;
    const Status status = Live(get_, *device, test, cache);
    const std::string name = WatchedVulkan::failed();
    if (name.find("ExtensionProperties") != std::string::npos) {
      EXPECT_TRUE(status.ok()) << name << ": " << status.what();
      test.Destroy();
      device->Close();
      continue;
    }
    EXPECT_EQ(status.code(), StatusCode::kDeviceLost) << name << ": " << status.what();
    EXPECT_TRUE(device->lost()) << name;
    const VulkanBackend backend(device.get());
    EXPECT_EQ(backend.Initialize().code(), StatusCode::kUnsupported);
    TestSegment other;
    EXPECT_EQ(other.Open(backend, 256, 0).code(), StatusCode::kDeviceLost);
    test.Destroy();
    EXPECT_EQ(WatchedVulkan::calls_after_failure(), 0) << "call " << call << ", " << name;
    leaked.push_back(std::move(device));
  }
}

TEST_F(FaultsTest, ADeviceThatDoesNotAnswerIsLost) {
  static Device device;
  WatchedVulkan::Reset({});
  TestSegment test;
  ASSERT_TRUE(device.Open(get_, nullptr).ok());
  const TensorType type{DType::kFloat32, {4}};
  ASSERT_TRUE(test.Open(VulkanBackend(&device), 256, 0).ok());
  ASSERT_TRUE(test.segment().AddInput(type, 0).ok());
  ASSERT_TRUE(test.segment().AddOutput(type, 0).ok());
  ASSERT_TRUE(test.segment().Finish().ok());
  std::vector<float> values = Ramp(4);
  ASSERT_TRUE(test.segment().BindInput(0, values.data()).ok());
  ASSERT_TRUE(test.segment().BindOutput(0, values.data()).ok());
  WatchedVulkan::FailAlways("vkWaitForFences", VK_TIMEOUT);
  const Status status = test.segment().Run();
  EXPECT_EQ(status.code(), StatusCode::kDeviceLost);
  EXPECT_STREQ(status.what(), "the GPU did not finish in time");
  EXPECT_EQ(test.segment().Run().code(), StatusCode::kDeviceLost);
  EXPECT_EQ(test.segment().Fetch(0).code(), StatusCode::kDeviceLost);
  test.Destroy();
  EXPECT_EQ(WatchedVulkan::calls_after_failure(), 0);
}

}  // namespace
}  // namespace linnet::vulkan
