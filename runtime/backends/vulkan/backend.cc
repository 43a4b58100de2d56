// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/backend.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "runtime/backends/vulkan/memory.h"
#include "runtime/backends/vulkan/packed_weights.h"
#include "runtime/backends/vulkan/segment.h"
#include "runtime/backends/vulkan/shader.h"
#include "runtime/backends/vulkan/support.h"

namespace linnet::vulkan {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "out of memory"};

}  // namespace

Status VulkanBackend::Find(Device** out) const {
  if (own_ == nullptr) return SharedDevice(out);
  *out = own_;
  return own_->CheckAlive();
}

Status VulkanBackend::Initialize() const {
  Device* device;
  const Status status = Find(&device);
  // Sessions that start now do without it.
  if (status.code() == StatusCode::kDeviceLost) return {StatusCode::kUnsupported, status.what()};
  return status;
}

bool VulkanBackend::is_software() const {
  Device* device;
  return Find(&device).ok() && device->facts().device_class == DeviceClass::kCpu;
}

bool VulkanBackend::GetInfo(DeviceInfo* info) const {
  Device* device;
  const Status status = Find(&device);
  if (!status.ok() && status.code() != StatusCode::kDeviceLost) return false;
  const DeviceFacts& facts = device->facts();
  *info = {
      .name = facts.name, .driver = facts.driver, .computes_f16 = (facts.features & kFloat16) != 0};
  for (uint32_t i = 0; i < facts.memory.memoryHeapCount; ++i) {
    const VkMemoryHeap& heap = facts.memory.memoryHeaps[i];
    if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) == 0) continue;
    const auto bytes = static_cast<int64_t>(std::min<VkDeviceSize>(heap.size, INT64_MAX));
    info->memory_bytes = std::max(info->memory_bytes, bytes);
  }
  return true;
}

bool VulkanBackend::PrefersSpeed(Layout layout) const {
  Device* device;
  return layout == Layout::kRows4Half && Find(&device).ok() && device->native_halves();
}

bool VulkanBackend::GetKey(DeviceKey* key) const {
  Device* device;
  const Status status = Find(&device);
  if (!status.ok() && status.code() != StatusCode::kDeviceLost) return false;
  const DeviceFacts& facts = device->facts();
  *key = {.vendor = facts.vendor_id,
          .device = facts.device_id,
          .driver = static_cast<uint32_t>(facts.driver_id),
          .driver_version = facts.driver_version,
          .programs = HashOfShaders()};
  std::memcpy(key->cache_uuid, facts.cache_uuid, sizeof(key->cache_uuid));
  return true;
}

const char* VulkanBackend::WhyUnsupported(const OpInstance& op) const {
  return vulkan::WhyUnsupported(op);
}

int64_t VulkanBackend::PackedBytes(const StepContext& step) const {
  return vulkan::PackedBytes(step.op, step.layout, step.scratch_bytes);
}

Status VulkanBackend::NewMemory(int64_t bytes, int64_t host_bytes, Region& region,
                                DeviceMemory** out) const {
  Device* device;
  LINNET_RETURN_IF_ERROR(Find(&device));
  void* object = region.Allocate(sizeof(SessionMemory));
  if (object == nullptr) return kNoMemory;
  auto* memory = new (object) SessionMemory(*device);
  LINNET_RETURN_IF_ERROR(memory->Allocate(bytes, host_bytes));
  *out = memory;
  return {};
}

Status VulkanBackend::NewSegment(DeviceMemory* memory, Layout layout, PackedWeights* weights,
                                 Region& region, RunnableSegment** out) const {
  Device* device;
  LINNET_RETURN_IF_ERROR(Find(&device));
  void* object = region.Allocate(sizeof(Segment));
  if (object == nullptr) return kNoMemory;
  *out = new (object) Segment(static_cast<SessionMemory&>(*memory), layout,
                              static_cast<DeviceWeights*>(weights), region);
  return {};
}

Status VulkanBackend::NewPackedWeights(int64_t bytes, Region& region, PackedWeights** out) const {
  *out = nullptr;
  Device* device;
  LINNET_RETURN_IF_ERROR(Find(&device));
  void* object = region.Allocate(sizeof(DeviceWeights));
  if (object == nullptr) return kNoMemory;
  auto* weights = new (object) DeviceWeights(*device);
  LINNET_RETURN_IF_ERROR(weights->Allocate(bytes));
  *out = weights;
  return {};
}

bool VulkanBackend::PacksInput(const OpInstance& op, int i) const {
  return op.inputs[i].is_constant;
}

Status VulkanBackend::Pack(const StepContext& step, PackedWeights* weights, Region& region,
                           void** packed) const {
  Device* device;
  LINNET_RETURN_IF_ERROR(Find(&device));
  StepWeights* out = nullptr;
  const Status status = static_cast<DeviceWeights&>(*weights).Pack(
      step.op, step.layout, step.scratch_bytes, region, &out);
  *packed = out;
  return status.At(step.index);
}

const Backend& GetBackend() {
  static constinit const VulkanBackend backend;
  return backend;
}

}  // namespace linnet::vulkan
