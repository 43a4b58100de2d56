// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "runtime/backends/vulkan/segment.h"
#include "tests/runtime/backends/vulkan/test_segment.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {

#define ASSERT_OK(expr)                              \
  do {                                               \
    const Status ok_status = (expr);                 \
    ASSERT_TRUE(ok_status.ok()) << ok_status.what(); \
  } while (false)

constexpr TensorType F32(std::initializer_list<int64_t> dims) {
  return {DType::kFloat32, Shape(dims)};
}

// Segments on the machine's own Vulkan, as it is and as other devices are.
class SegmentTest : public testing::Test {
 protected:
  // False: skipped.
  bool Open(const Profile& profile = {}) {
    const PFN_vkGetInstanceProcAddr get = WatchedVulkan::Get();
    if (get == nullptr) return false;
    WatchedVulkan::Reset(profile);
    return device_.Open(get, nullptr).ok();
  }
  void TearDown() override {
    test_.Destroy();
    device_.Close();
    EXPECT_EQ(WatchedVulkan::live(), 0);
    EXPECT_STREQ(WatchedVulkan::misuse(), "");
  }

  // Three clamps, one after the other, the last of them of a constant too.
  void RunChain() {
    const Shape shape{3, 5};
    const TensorType type{DType::kFloat32, shape};
    const std::vector<float> input = Ramp(15), constant = Ramp(15);
    ASSERT_OK(test_.Open(backend_, 1024, 0, 256));
    Segment& segment = test_.segment();
    ASSERT_OK(segment.AddInput(type, 0));
    ASSERT_OK(test_.AddClamp(shape, 0, 256, -3, 100));
    ASSERT_OK(test_.AddClamp(shape, 256, 0, -100, 2));
    ASSERT_OK(test_.AddClampOf(shape, constant, 512, -1, 1));
    ASSERT_OK(segment.AddOutput(type, 0));
    ASSERT_OK(segment.AddOutput(type, 512));
    ASSERT_OK(segment.Finish());
    std::vector<float> first(15), second(15);
    ASSERT_OK(segment.BindInput(0, input.data()));
    ASSERT_OK(segment.BindOutput(0, first.data()));
    ASSERT_OK(segment.BindOutput(1, second.data()));
    for (int run = 0; run < 3; ++run) {
      std::fill(first.begin(), first.end(), 77.0f);
      std::fill(second.begin(), second.end(), 77.0f);
      ASSERT_OK(segment.Run());
      ASSERT_OK(segment.Fetch(0));
      ASSERT_OK(segment.Fetch(1));
      EXPECT_EQ(first, Clamped(input, -3, 2));
      EXPECT_EQ(second, Clamped(constant, -1, 1));
    }
  }

  Device device_;
  VulkanBackend backend_{&device_};
  TestSegment test_;
};

}  // namespace linnet::vulkan
