// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/backends/vulkan/watched_limits.h"

#include <algorithm>
#include <cstring>

namespace linnet::vulkan {
namespace {

// What Vulkan 1.1 promises of every device, as far as compute shaders can come near.
void LowerToLeast(VkPhysicalDeviceLimits* limits) {
  std::fill_n(limits->maxComputeWorkGroupCount, 3, 65535u);
  limits->maxComputeWorkGroupInvocations = 128;
  limits->maxComputeWorkGroupSize[0] = limits->maxComputeWorkGroupSize[1] = 128;
  limits->maxComputeWorkGroupSize[2] = 64;
  limits->maxComputeSharedMemorySize = 16 << 10;
  limits->maxPushConstantsSize = 128;
  limits->maxStorageBufferRange = 1u << 27;
  limits->maxPerStageDescriptorStorageBuffers = limits->maxDescriptorSetStorageBuffers = 4;
  limits->maxPerStageResources = 128;
  limits->maxBoundDescriptorSets = 4;
  limits->maxMemoryAllocationCount = 4096;
  limits->minStorageBufferOffsetAlignment = 256;
  limits->nonCoherentAtomSize = 256;
  limits->timestampComputeAndGraphics = VK_FALSE;
}

}  // namespace

void ChangeLimits(const Profile& profile, VkPhysicalDeviceLimits* limits) {
  if (profile.least) LowerToLeast(limits);
  if (profile.non_coherent) limits->nonCoherentAtomSize = kWatchedAtom;
  if (profile.no_timestamps) limits->timestampPeriod = 0;
  if (profile.window_alignment > 0)
    limits->minStorageBufferOffsetAlignment = profile.window_alignment;
  if (profile.most_groups > 0)
    std::fill_n(limits->maxComputeWorkGroupCount, 2, profile.most_groups);
}

const char* WhyBeyond(const VkPhysicalDeviceLimits& limits, const VkWriteDescriptorSet& write) {
  if (write.dstBinding >= limits.maxPerStageDescriptorStorageBuffers) return "too many bindings";
  for (uint32_t i = 0; i < write.descriptorCount; ++i) {
    const VkDescriptorBufferInfo& window = write.pBufferInfo[i];
    if (window.offset % limits.minStorageBufferOffsetAlignment != 0)
      return "a window that is not aligned";
    if (window.range == VK_WHOLE_SIZE || window.range > limits.maxStorageBufferRange)
      return "a window that is too large";
  }
  return nullptr;
}

const char* WhyBeyond(const VkPhysicalDeviceLimits& limits,
                      const VkComputePipelineCreateInfo& pipeline) {
  const VkSpecializationInfo& constants = *pipeline.stage.pSpecializationInfo;
  for (uint32_t i = 0; i < constants.mapEntryCount; ++i) {
    const VkSpecializationMapEntry& entry = constants.pMapEntries[i];
    if (entry.constantID != 0) continue;
    uint32_t threads = 0;
    std::memcpy(&threads, static_cast<const char*>(constants.pData) + entry.offset,
                sizeof(threads));
    if (threads > limits.maxComputeWorkGroupInvocations ||
        threads > limits.maxComputeWorkGroupSize[0])
      return "a workgroup of too many threads";
  }
  return nullptr;
}

}  // namespace linnet::vulkan
