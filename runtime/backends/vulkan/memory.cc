// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/memory.h"

#include <algorithm>
#include <cstring>

#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/one_time_commands.h"
#include "runtime/core/checked.h"

namespace linnet::vulkan {
namespace {

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
constexpr VkMemoryPropertyFlags kCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
constexpr VkMemoryPropertyFlags kKnown = kLocal | kVisible | kCoherent | kCached;

// How well a type suits; below 0: not at all. `largest`: its heap is the largest local one.
int Score(VkMemoryPropertyFlags flags, bool largest, Usage usage) {
  // Other flags mean memory that is protected, lazily allocated or needs a feature.
  if ((flags & ~kKnown) != 0) return -1;
  const int local = (flags & kLocal) != 0, visible = (flags & kVisible) != 0,
            coherent = (flags & kCoherent) != 0, cached = (flags & kCached) != 0;
  if (usage == Usage::kHost) return visible ? 4 * cached + 2 * coherent + local : -1;
  // A discrete GPU may have a small window of its memory that the host sees; it is too precious.
  const int score = 8 * local + 4 * (local && largest);
  return usage == Usage::kWeights ? score + 2 * visible + coherent : score;
}

// A range of a mapped buffer, widened to what the device can flush.
VkMappedMemoryRange RangeOf(const Device& device, const Buffer& buffer, int64_t offset,
                            int64_t bytes) {
  const auto atom = static_cast<int64_t>(device.facts().limits.nonCoherentAtomSize);
  const int64_t begin = offset / atom * atom;
  const int64_t end = std::min(CeilDiv(offset + bytes, atom) * atom, buffer.allocated);
  return {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
          .memory = buffer.memory,
          .offset = static_cast<VkDeviceSize>(begin),
          .size = static_cast<VkDeviceSize>(end - begin)};
}

Status AllocateAndBind(Device& device, Usage usage, Buffer* out) {
  VkMemoryRequirements needs;
  device.fn().GetBufferMemoryRequirements(device.handle(), out->handle, &needs);
  const VkPhysicalDeviceMemoryProperties& memory = device.facts().memory;
  const int type = ChooseMemoryType(memory, needs.memoryTypeBits, usage);
  if (type < 0) return {StatusCode::kNoMemory, "the GPU has no memory of the kind that is needed"};
  const VkMemoryPropertyFlags flags = memory.memoryTypes[type].propertyFlags;
  // Whole atoms, so that no flush has to end at the end of the memory.
  const auto atom = static_cast<int64_t>(device.facts().limits.nonCoherentAtomSize);
  out->allocated = CeilDiv(static_cast<int64_t>(needs.size), atom) * atom;
  if (out->allocated > device.facts().max_allocation)
    return {StatusCode::kNoMemory, "more memory than the GPU gives in one piece"};
  const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .allocationSize = static_cast<VkDeviceSize>(out->allocated),
                                     .memoryTypeIndex = static_cast<uint32_t>(type)};
  LINNET_RETURN_IF_ERROR(
      device.Check(device.fn().AllocateMemory(device.handle(), &info, nullptr, &out->memory),
                   "vkAllocateMemory failed"));
  LINNET_RETURN_IF_ERROR(
      device.Check(device.fn().BindBufferMemory(device.handle(), out->handle, out->memory, 0),
                   "vkBindBufferMemory failed"));
  out->coherent = (flags & kCoherent) != 0;
  if (usage == Usage::kDevice || (flags & kVisible) == 0) return {};
  void* mapped = nullptr;
  LINNET_RETURN_IF_ERROR(device.Check(
      device.fn().MapMemory(device.handle(), out->memory, 0, VK_WHOLE_SIZE, 0, &mapped),
      "vkMapMemory failed"));
  out->mapped = static_cast<std::byte*>(mapped);
  return {};
}

bool Contains(const SessionMemory& memory, int64_t offset, int64_t bytes) {
  return offset >= 0 && bytes > 0 && bytes <= memory.arena().bytes &&
         offset <= memory.arena().bytes - bytes;
}
constexpr Status kOutside{StatusCode::kInvalidArgument, "bytes outside of the arena"};

}  // namespace

int ChooseMemoryType(const VkPhysicalDeviceMemoryProperties& memory, uint32_t bits, Usage usage) {
  VkDeviceSize largest = 0;
  for (uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
      largest = std::max(largest, memory.memoryHeaps[i].size);
  }
  int best = -1, best_score = -1;
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    if (((bits >> i) & 1) == 0) continue;
    const VkMemoryType& type = memory.memoryTypes[i];
    const bool in_largest = memory.memoryHeaps[type.heapIndex].size >= largest;
    const int score = Score(type.propertyFlags, in_largest, usage);
    if (score <= best_score) continue;
    best = static_cast<int>(i);
    best_score = score;
  }
  return best;
}

Status NewBuffer(Device& device, int64_t bytes, Usage usage, Buffer* out) {
  *out = {};
  out->bytes = AlignUp(bytes, kWindowAlignment);
  if (out->bytes > device.facts().max_allocation)
    return {StatusCode::kNoMemory, "more memory than the GPU gives in one piece"};
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                   .size = static_cast<VkDeviceSize>(out->bytes),
                                   .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                            VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                            VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  Status status =
      device.Check(device.fn().CreateBuffer(device.handle(), &info, nullptr, &out->handle),
                   "vkCreateBuffer failed");
  if (status.ok()) status = AllocateAndBind(device, usage, out);
  if (!status.ok()) FreeBuffer(device, out);
  return status;
}

void FreeBuffer(Device& device, Buffer* buffer) {
  if (!device.lost()) {
    if (buffer->handle != VK_NULL_HANDLE)
      device.fn().DestroyBuffer(device.handle(), buffer->handle, nullptr);
    // Unmaps it too.
    if (buffer->memory != VK_NULL_HANDLE)
      device.fn().FreeMemory(device.handle(), buffer->memory, nullptr);
  }
  *buffer = {};
}

Status Flush(Device& device, const Buffer& buffer, int64_t offset, int64_t bytes) {
  if (buffer.coherent || bytes == 0) return {};
  const VkMappedMemoryRange range = RangeOf(device, buffer, offset, bytes);
  return device.Check(device.fn().FlushMappedMemoryRanges(device.handle(), 1, &range),
                      "vkFlushMappedMemoryRanges failed");
}

Status Invalidate(Device& device, const Buffer& buffer, int64_t offset, int64_t bytes) {
  if (buffer.coherent || bytes == 0) return {};
  const VkMappedMemoryRange range = RangeOf(device, buffer, offset, bytes);
  return device.Check(device.fn().InvalidateMappedMemoryRanges(device.handle(), 1, &range),
                      "vkInvalidateMappedMemoryRanges failed");
}

Status SessionMemory::Allocate(int64_t bytes, int64_t host_bytes) {
  bytes_ = bytes;
  // One window more, for bindings without elements, which may lie at the end.
  LINNET_RETURN_IF_ERROR(
      NewBuffer(device_, SaturatingAdd(bytes, kWindowAlignment), Usage::kDevice, &arena_));
  if (host_bytes == 0) return {};
  Status status = NewBuffer(device_, host_bytes, Usage::kHost, &host_);
  if (status.ok()) {
    std::memset(host_.mapped, 0, static_cast<size_t>(host_.bytes));
    status = Flush(device_, host_, 0, host_.bytes);
  }
  if (!status.ok()) {
    Destroy();
    return status;
  }
  // Drivers map at pages, but need not. Without this the session does without this memory.
  if (reinterpret_cast<uintptr_t>(host_.mapped) % kWindowAlignment != 0)
    FreeBuffer(device_, &host_);
  return {};
}

void SessionMemory::Destroy() {
  FreeBuffer(device_, &host_);
  FreeBuffer(device_, &arena_);
}

Status FillArena(DeviceMemory* memory, uint32_t word) {
  auto& session = static_cast<SessionMemory&>(*memory);
  OneTimeCommands commands(session.device());
  LINNET_RETURN_IF_ERROR(commands.Begin());
  session.device().fn().CmdFillBuffer(commands.buffer(), session.arena().handle, 0,
                                      static_cast<VkDeviceSize>(session.arena().bytes), word);
  return commands.SubmitAndWait();
}

Status WriteArena(DeviceMemory* memory, int64_t offset, const void* from, int64_t bytes) {
  auto& session = static_cast<SessionMemory&>(*memory);
  if (!Contains(session, offset, bytes)) return kOutside;
  Buffer staging;
  LINNET_RETURN_IF_ERROR(NewBuffer(session.device(), bytes, Usage::kHost, &staging));
  std::memcpy(staging.mapped, from, static_cast<size_t>(bytes));
  Status status = Flush(session.device(), staging, 0, bytes);
  if (status.ok()) status = CopyNow(session.device(), staging, 0, session.arena(), offset, bytes);
  FreeBuffer(session.device(), &staging);
  return status;
}

Status ReadArena(DeviceMemory* memory, int64_t offset, void* to, int64_t bytes) {
  auto& session = static_cast<SessionMemory&>(*memory);
  if (!Contains(session, offset, bytes)) return kOutside;
  Buffer staging;
  LINNET_RETURN_IF_ERROR(NewBuffer(session.device(), bytes, Usage::kHost, &staging));
  Status status = CopyNow(session.device(), session.arena(), offset, staging, 0, bytes);
  if (status.ok()) status = Invalidate(session.device(), staging, 0, bytes);
  if (status.ok()) std::memcpy(to, staging.mapped, static_cast<size_t>(bytes));
  FreeBuffer(session.device(), &staging);
  return status;
}

}  // namespace linnet::vulkan
