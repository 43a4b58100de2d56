// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/vulkan/loader.h"

// Memory as another device has it: apart from the host's, or not coherent. The functions stand in
// place of Vulkan's.
namespace linnet::vulkan::watched {

void VKAPI_CALL MemoryProperties(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties* out);
void VKAPI_CALL Requirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements* out);
VkResult VKAPI_CALL Allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                             const VkAllocationCallbacks* callbacks, VkDeviceMemory* out);
void VKAPI_CALL Free(VkDevice device, VkDeviceMemory memory,
                     const VkAllocationCallbacks* callbacks);
VkResult VKAPI_CALL Map(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                        VkDeviceSize size, VkMemoryMapFlags flags, void** out);
VkResult VKAPI_CALL FlushRanges(VkDevice device, uint32_t count, const VkMappedMemoryRange* ranges);
VkResult VKAPI_CALL InvalidateRanges(VkDevice device, uint32_t count,
                                     const VkMappedMemoryRange* ranges);

}  // namespace linnet::vulkan::watched
