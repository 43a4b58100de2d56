// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/vulkan/command_buffers.h"

namespace linnet::vulkan {

struct Buffer;

// A command buffer that is recorded, submitted and waited for once: copies of weights, and views
// into tensors. What a session runs again and again is in commands.h.
class OneTimeCommands {
 public:
  explicit OneTimeCommands(Device& device) : device_(device), buffers_(device) {}
  ~OneTimeCommands() { buffers_.Destroy(); }
  OneTimeCommands(const OneTimeCommands&) = delete;
  OneTimeCommands& operator=(const OneTimeCommands&) = delete;

  Status Begin();
  VkCommandBuffer buffer() const { return buffer_; }
  // Runs after all that was submitted before, and makes the results visible to all shaders of later
  // submissions and to the host. kDeviceLost also when it takes too long.
  Status SubmitAndWait();

 private:
  Device& device_;
  VkCommandBuffer buffer_ = nullptr;
  CommandBuffers buffers_;
};

// Copies bytes between two buffers now. REQUIRES: the ranges lie in them.
Status CopyNow(Device& device, const Buffer& from, int64_t from_offset, const Buffer& to,
               int64_t to_offset, int64_t bytes);

}  // namespace linnet::vulkan
