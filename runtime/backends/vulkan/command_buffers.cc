// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/command_buffers.h"

namespace linnet::vulkan {

Status CommandBuffers::Create(VkCommandPoolCreateFlags flags, std::span<VkCommandBuffer> buffers) {
  const Functions& fn = device_.fn();
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .flags = flags,
                                        .queueFamilyIndex = device_.facts().queue_family};
  LINNET_RETURN_IF_ERROR(
      device_.Check(fn.CreateCommandPool(device_.handle(), &pool, nullptr, &pool_),
                    "vkCreateCommandPool failed"));
  const VkCommandBufferAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = pool_,
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = static_cast<uint32_t>(buffers.size())};
  LINNET_RETURN_IF_ERROR(
      device_.Check(fn.AllocateCommandBuffers(device_.handle(), &info, buffers.data()),
                    "vkAllocateCommandBuffers failed"));
  buffers_ = buffers;
  const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  return device_.Check(fn.CreateFence(device_.handle(), &fence, nullptr, &fence_),
                       "vkCreateFence failed");
}

// *unfinished: the GPU has something to do that the fence will tell the end of.
Status CommandBuffers::Submit(bool* unfinished) {
  *unfinished = false;
  for (const VkCommandBuffer& buffer : buffers_) {
    const bool last = &buffer == &buffers_.back();
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &buffer};
    const Status status = device_.Submit(&info, last ? fence_ : VK_NULL_HANDLE);
    if (!status.ok()) {
      // The buffers before this one run. A submission of nothing gives them the fence.
      if (*unfinished && !device_.lost() && !device_.Submit(nullptr, fence_).ok()) device_.Lose();
      return status;
    }
    *unfinished = true;
  }
  return {};
}

Status CommandBuffers::Run(int64_t timeout_ns) {
  const Functions& fn = device_.fn();
  LINNET_RETURN_IF_ERROR(
      device_.Check(fn.ResetFences(device_.handle(), 1, &fence_), "vkResetFences failed"));
  bool unfinished = false;
  const Status status = Submit(&unfinished);
  LINNET_RETURN_IF_ERROR(device_.CheckAlive());
  if (!unfinished) return status;
  const VkResult result =
      fn.WaitForFences(device_.handle(), 1, &fence_, VK_TRUE, static_cast<uint64_t>(timeout_ns));
  if (result == VK_SUCCESS) return status;
  // Whatever went wrong, the GPU may still be working with our memory.
  device_.Lose();
  return {StatusCode::kDeviceLost,
          result == VK_TIMEOUT ? "the GPU did not finish in time" : "vkWaitForFences failed"};
}

void CommandBuffers::Destroy() {
  if (device_.lost()) return;
  const Functions& fn = device_.fn();
  if (fence_ != VK_NULL_HANDLE) fn.DestroyFence(device_.handle(), fence_, nullptr);
  if (pool_ != VK_NULL_HANDLE) fn.DestroyCommandPool(device_.handle(), pool_, nullptr);
  fence_ = VK_NULL_HANDLE;
  pool_ = VK_NULL_HANDLE;
}

}  // namespace linnet::vulkan
