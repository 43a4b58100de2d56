// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "runtime/backends/vulkan/device.h"

namespace linnet::vulkan {

// Command buffers that run one after the other, with their pool and a fence to wait for the last.
// Others record them.
class CommandBuffers {
 public:
  explicit CommandBuffers(Device& device) : device_(device) {}

  // Fills `buffers`, which is not empty and must outlive this object. `flags` are the pool's. After
  // an error Destroy is still due.
  Status Create(VkCommandPoolCreateFlags flags, std::span<VkCommandBuffer> buffers);
  // Submits what was recorded and waits for its end. Each buffer is a submission of its own:
  // systems let programs take turns on a GPU between submissions, and drivers may make one of what
  // a single call of vkQueueSubmit submits (Mesa does). Barriers work across submissions.
  // kDeviceLost, also when it takes too long.
  Status Run(int64_t timeout_ns);
  // May be called more than once. Leaks what a lost device may still be using.
  void Destroy();

 private:
  Status Submit(bool* unfinished);

  Device& device_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::span<const VkCommandBuffer> buffers_;
  VkFence fence_ = VK_NULL_HANDLE;
};

}  // namespace linnet::vulkan
