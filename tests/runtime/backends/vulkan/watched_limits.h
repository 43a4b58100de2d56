// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {

// Makes a driver's limits those of the profile.
void ChangeLimits(const Profile& profile, VkPhysicalDeviceLimits* limits);

// nullptr, or what these limits do not allow.
const char* WhyBeyond(const VkPhysicalDeviceLimits& limits, const VkWriteDescriptorSet& write);
const char* WhyBeyond(const VkPhysicalDeviceLimits& limits,
                      const VkComputePipelineCreateInfo& pipeline);

}  // namespace linnet::vulkan
