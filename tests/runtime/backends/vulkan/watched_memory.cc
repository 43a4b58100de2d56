// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/backends/vulkan/watched_memory.h"

#include <cstddef>
#include <cstring>

#include "tests/runtime/backends/vulkan/watched_state.h"

namespace linnet::vulkan::watched {
namespace {

// Vulkan promises that there is one.
uint32_t HostMemoryType(const VkPhysicalDeviceMemoryProperties& memory) {
  constexpr VkMemoryPropertyFlags kHost =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (uint32_t type = 0; type < memory.memoryTypeCount; ++type)
    if ((memory.memoryTypes[type].propertyFlags & kHost) == kHost) return type;
  Misuse("a driver without memory that both sides access");
  return 0;
}

// Copies between what the program sees and what the device sees.
void CopyRanges(uint32_t count, const VkMappedMemoryRange* ranges, bool to_device) {
  for (uint32_t i = 0; i < count; ++i) {
    Allocation& allocation = TheState().memory[ranges[i].memory];
    const VkDeviceSize begin = ranges[i].offset, bytes = ranges[i].size;
    if (begin % kWatchedAtom != 0 || begin > allocation.bytes || bytes > allocation.bytes - begin ||
        (bytes % kWatchedAtom != 0 && begin + bytes != allocation.bytes)) {
      Misuse("a range of no whole atoms");
      continue;
    }
    if (allocation.real == nullptr) {
      Misuse("memory that is not mapped is flushed");
      continue;
    }
    const auto address = reinterpret_cast<uintptr_t>(allocation.shadow.data());
    std::byte* seen = allocation.shadow.data() + (-address & 255) + begin;
    std::byte* real = static_cast<std::byte*>(allocation.real) + begin;
    std::memcpy(to_device ? real : seen, to_device ? seen : real, bytes);
  }
}

}  // namespace

void VKAPI_CALL MemoryProperties(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties* out) {
  REAL(GetPhysicalDeviceMemoryProperties)(device, out);
  TheState().host_memory_type = HostMemoryType(*out);
  const Profile& profile = TheState().profile;
  if (!profile.discrete && !profile.non_coherent) return;
  const VkMemoryPropertyFlags coherent =
      profile.non_coherent ? 0 : VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const VkMemoryPropertyFlags host =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | coherent | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  out->memoryTypeCount = 2;
  out->memoryTypes[0] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | (profile.discrete ? 0 : host), 0};
  out->memoryTypes[1] = {host, 0};
}

void VKAPI_CALL Requirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements* out) {
  REAL(GetBufferMemoryRequirements)(device, buffer, out);
  const State& state = TheState();
  // The machine's host_memory_type stands for both.
  if (state.profile.discrete || state.profile.non_coherent)
    out->memoryTypeBits = (out->memoryTypeBits >> state.host_memory_type & 1) != 0 ? 3 : 0;
}

VkResult VKAPI_CALL Allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                             const VkAllocationCallbacks* callbacks, VkDeviceMemory* out) {
  State& state = TheState();
  if (Count("vkAllocateMemory", true)) return state.failure;
  VkMemoryAllocateInfo real = *info;
  if (state.profile.discrete || state.profile.non_coherent)
    real.memoryTypeIndex = state.host_memory_type;
  const VkResult result = REAL(AllocateMemory)(device, &real, callbacks, out);
  if (result != VK_SUCCESS) return result;
  ++state.live;
  state.memory[*out] = {.type = info->memoryTypeIndex, .bytes = info->allocationSize};
  return result;
}

void VKAPI_CALL Free(VkDevice device, VkDeviceMemory memory,
                     const VkAllocationCallbacks* callbacks) {
  State& state = TheState();
  Count("vkFreeMemory", false);
  if (state.working) Misuse("memory is freed while the device may use it");
  if (state.memory.erase(memory) == 0) Misuse("memory that does not exist is freed");
  --state.live;
  REAL(FreeMemory)(device, memory, callbacks);
}

VkResult VKAPI_CALL Map(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                        VkDeviceSize size, VkMemoryMapFlags flags, void** out) {
  State& state = TheState();
  if (Count("vkMapMemory", true)) return state.failure;
  Allocation& allocation = state.memory[memory];
  if (state.profile.discrete && allocation.type == 0) Misuse("the device's memory is mapped");
  const VkResult result = REAL(MapMemory)(device, memory, offset, size, flags, out);
  if (result != VK_SUCCESS || !state.profile.non_coherent) return result;
  allocation.real = *out;
  // Garbage, as in a cache that was never loaded. One kWatchedAtom more, to align it.
  allocation.shadow.assign(allocation.bytes + 256, std::byte{0xa5});
  const auto address = reinterpret_cast<uintptr_t>(allocation.shadow.data());
  *out = allocation.shadow.data() + (-address & 255);
  return result;
}

VkResult VKAPI_CALL FlushRanges(VkDevice device, uint32_t count,
                                const VkMappedMemoryRange* ranges) {
  if (Count("vkFlushMappedMemoryRanges", true)) return TheState().failure;
  (void)device;
  CopyRanges(count, ranges, true);
  return VK_SUCCESS;
}
VkResult VKAPI_CALL InvalidateRanges(VkDevice device, uint32_t count,
                                     const VkMappedMemoryRange* ranges) {
  if (Count("vkInvalidateMappedMemoryRanges", true)) return TheState().failure;
  (void)device;
  CopyRanges(count, ranges, false);
  return VK_SUCCESS;
}

}  // namespace linnet::vulkan::watched
