// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/vulkan/device.h"

namespace linnet::vulkan {

// A command buffer with its pool and a fence to wait for it. Others record it.
class CommandBuffer {
 public:
  explicit CommandBuffer(Device& device) : device_(device) {}

  // `flags` are the pool's. After an error Destroy is still due.
  Status Create(VkCommandPoolCreateFlags flags);
  VkCommandBuffer handle() const { return buffer_; }
  // Submits what was recorded and waits for its end. kDeviceLost, also when it takes too long.
  Status Run(int64_t timeout_ns);
  // May be called more than once. Leaks what a lost device may still be using.
  void Destroy();

 private:
  Device& device_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer buffer_ = nullptr;
  VkFence fence_ = VK_NULL_HANDLE;
};

}  // namespace linnet::vulkan
