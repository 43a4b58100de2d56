// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/backends/vulkan/device.h"
#include "runtime/session/backend.h"

namespace linnet::vulkan {

// Who accesses a buffer.
enum class Usage : uint8_t {
  kDevice,   // only the device
  kWeights,  // the device; the host writes once, if this costs the device nothing
  kHost,     // both, the host reads too
};

// A VkBuffer in a memory of its own.
struct Buffer {
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  int64_t bytes = 0;            // usable by shaders
  std::byte* mapped = nullptr;  // null: the host cannot access it
  bool coherent = true;
  int64_t allocated = 0;  // bytes of `memory`
};

// The index of the memory type for a buffer that may use the types of the mask `bits`; -1: none.
int ChooseMemoryType(const VkPhysicalDeviceMemoryProperties& memory, uint32_t bits, Usage usage);

// `bytes` > 0 is rounded up to a multiple of kWindowAlignment. kNoMemory. Leaves nothing behind
// when it fails.
Status NewBuffer(Device& device, int64_t bytes, Usage usage, Buffer* out);
// A buffer that was never made is fine. After a device is lost this leaks.
void FreeBuffer(Device& device, Buffer* buffer);

// Makes what the host wrote to a mapped buffer visible to the device's next submission.
Status Flush(Device& device, const Buffer& buffer, int64_t offset, int64_t bytes);
// Makes what the device wrote before the last wait visible to the host.
Status Invalidate(Device& device, const Buffer& buffer, int64_t offset, int64_t bytes);

// The memory of one session: the arena of its tensors, and memory for inputs and outputs that the
// host can access.
class SessionMemory final : public DeviceMemory {
 public:
  explicit SessionMemory(Device& device) : device_(device) {}
  Status Allocate(int64_t bytes, int64_t host_bytes);

  void* host_data() const override { return host_.mapped; }
  int64_t device_bytes() const override { return arena_.allocated + host_.allocated; }
  void Destroy() override;

  Device& device() const { return device_; }
  const Buffer& arena() const { return arena_; }
  const Buffer& host() const { return host_; }
  int64_t bytes() const { return bytes_; }  // of the arena, as the session asked for

 private:
  Device& device_;
  Buffer arena_;
  Buffer host_;
  int64_t bytes_ = 0;
};

// Views for tests and tools, which may look at tensors between runs. Each submits and waits.
Status FillArena(DeviceMemory* memory, uint32_t word);
Status WriteArena(DeviceMemory* memory, int64_t offset, const void* from, int64_t bytes);
Status ReadArena(DeviceMemory* memory, int64_t offset, void* to, int64_t bytes);

}  // namespace linnet::vulkan
