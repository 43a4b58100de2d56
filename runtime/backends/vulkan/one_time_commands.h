// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/vulkan/device.h"

namespace linnet::vulkan {

struct Buffer;

// A command buffer that is recorded, submitted and waited for once: copies of weights, and views
// into tensors. What a session runs again and again is in commands.h.
class OneTimeCommands {
 public:
  explicit OneTimeCommands(Device& device) : device_(device) {}
  ~OneTimeCommands();
  OneTimeCommands(const OneTimeCommands&) = delete;
  OneTimeCommands& operator=(const OneTimeCommands&) = delete;

  Status Begin();
  VkCommandBuffer buffer() const { return buffer_; }
  // Runs after all that was submitted before, and makes the results visible to all shaders of later
  // submissions and to the host. kDeviceLost also when it takes too long.
  Status SubmitAndWait();

 private:
  Device& device_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer buffer_ = nullptr;
  VkFence fence_ = VK_NULL_HANDLE;
};

// Copies bytes between two buffers now. REQUIRES: the ranges lie in them.
Status CopyNow(Device& device, const Buffer& from, int64_t from_offset, const Buffer& to,
               int64_t to_offset, int64_t bytes);

// Waits for a fence; a device that does not answer in time is lost.
Status WaitFor(Device& device, VkFence fence, int64_t timeout_ns);

}  // namespace linnet::vulkan
