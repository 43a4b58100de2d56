// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/pipeline_cache.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {
namespace {

class PipelineCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    if (WatchedVulkan::Get() == nullptr) GTEST_SKIP() << "no Vulkan library";
    WatchedVulkan::Reset();
    const Status status = device_.Open(WatchedVulkan::Get(), nullptr);
    if (!status.ok()) GTEST_SKIP() << status.what();
  }
  void TearDown() override {
    device_.Close();
    EXPECT_EQ(WatchedVulkan::live(), 0);
  }
  static std::vector<std::byte> Saved(const PipelineCache& cache) {
    std::vector<std::byte> data(static_cast<size_t>(cache.Save(nullptr, 0)));
    EXPECT_EQ(cache.Save(data.data(), std::ssize(data)), std::ssize(data));
    return data;
  }

  Device device_;
};

TEST_F(PipelineCacheTest, SavesWhatTheDriverHas) {
  PipelineCache cache(device_);
  EXPECT_EQ(cache.handle(), VkPipelineCache{});
  EXPECT_EQ(cache.Save(nullptr, 0), 0) << "it is not open";
  ASSERT_TRUE(cache.Open({}).ok());
  const std::vector<std::byte> data = Saved(cache);
  ASSERT_GE(data.size(), sizeof(VkPipelineCacheHeaderVersionOne));
  std::byte few[8];
  EXPECT_EQ(cache.Save(few, 8), 0);
  ASSERT_TRUE(cache.Open(data).ok());
  EXPECT_EQ(WatchedVulkan::calls_of("vkCreatePipelineCache"), 1) << "the second time does nothing";
  PipelineCache next(device_);
  ASSERT_TRUE(next.Open(data).ok());
  EXPECT_EQ(Saved(next), data);
  cache.Close();
  next.Close();
}

// Where the driver refuses the data, it starts empty; where it refuses that too, there is none.
TEST_F(PipelineCacheTest, ADriverThatRefuses) {
  PipelineCache cache(device_);
  ASSERT_TRUE(cache.Open({}).ok());
  const std::vector<std::byte> data = Saved(cache);
  cache.Close();
  WatchedVulkan::FailAt(WatchedVulkan::calls(), VK_ERROR_OUT_OF_HOST_MEMORY);
  PipelineCache empty(device_);
  EXPECT_TRUE(empty.Open(data).ok());
  EXPECT_NE(empty.handle(), VkPipelineCache{});
  empty.Close();
  WatchedVulkan::FailAlways("vkCreatePipelineCache", VK_ERROR_OUT_OF_HOST_MEMORY);
  PipelineCache none(device_);
  EXPECT_TRUE(none.Open(data).ok());
  EXPECT_EQ(none.handle(), VkPipelineCache{});
  none.Close();
}

// Data that says that it is of another driver does not reach this one.
TEST_F(PipelineCacheTest, OthersDataIsNotUsed) {
  PipelineCache cache(device_);
  ASSERT_TRUE(cache.Open({}).ok());
  const std::vector<std::byte> data = Saved(cache);
  cache.Close();
  WatchedVulkan::FailAlways("vkCreatePipelineCache", VK_ERROR_OUT_OF_HOST_MEMORY);
  for (size_t i = 0; i < sizeof(VkPipelineCacheHeaderVersionOne); ++i) {
    std::vector<std::byte> other = data;
    other[i] ^= std::byte{0x40};
    const int64_t before = WatchedVulkan::calls_of("vkCreatePipelineCache");
    PipelineCache refused(device_);
    EXPECT_TRUE(refused.Open(other).ok());
    // With data there would have been a second call without it.
    EXPECT_EQ(WatchedVulkan::calls_of("vkCreatePipelineCache"), before + 1) << i;
    refused.Close();
  }
}

TEST_F(PipelineCacheTest, ADeviceThatIsLost) {
  static Device lost;  // leaks by intent
  ASSERT_TRUE(lost.Open(WatchedVulkan::Get(), nullptr).ok());
  PipelineCache cache(lost);
  WatchedVulkan::FailAlways("vkCreatePipelineCache", VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(cache.Open({}).code(), StatusCode::kDeviceLost);
  EXPECT_EQ(cache.Save(nullptr, 0), 0);
  cache.Close();
  EXPECT_EQ(WatchedVulkan::calls_after_failure(), 0);
  WatchedVulkan::Reset();
  device_.Close();  // what it frees was counted before
  WatchedVulkan::Reset();
}

}  // namespace
}  // namespace linnet::vulkan
