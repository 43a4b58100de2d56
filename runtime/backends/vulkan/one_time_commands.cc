// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/one_time_commands.h"

#include "runtime/backends/vulkan/memory.h"

namespace linnet::vulkan {
namespace {

// A copy of all weights of a large model over a slow bus takes less than a second.
constexpr int64_t kTimeoutNs = 30'000'000'000;

void Barrier(const Device& device, VkCommandBuffer commands, VkPipelineStageFlags from,
             VkAccessFlags written, VkPipelineStageFlags to, VkAccessFlags accessed) {
  const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = written,
                                   .dstAccessMask = accessed};
  device.fn().CmdPipelineBarrier(commands, from, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace

OneTimeCommands::~OneTimeCommands() {
  if (device_.lost()) return;
  if (fence_ != VK_NULL_HANDLE) device_.fn().DestroyFence(device_.handle(), fence_, nullptr);
  if (pool_ != VK_NULL_HANDLE) device_.fn().DestroyCommandPool(device_.handle(), pool_, nullptr);
}

Status OneTimeCommands::Begin() {
  if (device_.lost()) return {StatusCode::kDeviceLost, "the GPU stopped working"};
  const Functions& fn = device_.fn();
  const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  LINNET_RETURN_IF_ERROR(device_.Check(fn.CreateFence(device_.handle(), &fence, nullptr, &fence_),
                                       "vkCreateFence failed"));
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                        .queueFamilyIndex = device_.facts().queue_family};
  LINNET_RETURN_IF_ERROR(
      device_.Check(fn.CreateCommandPool(device_.handle(), &pool, nullptr, &pool_),
                    "vkCreateCommandPool failed"));
  const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = pool_,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
  LINNET_RETURN_IF_ERROR(device_.Check(fn.AllocateCommandBuffers(device_.handle(), &info, &buffer_),
                                       "vkAllocateCommandBuffers failed"));
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  LINNET_RETURN_IF_ERROR(
      device_.Check(fn.BeginCommandBuffer(buffer_, &begin), "vkBeginCommandBuffer failed"));
  Barrier(device_, buffer_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
          VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
          VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  return {};
}

Status OneTimeCommands::SubmitAndWait() {
  const Functions& fn = device_.fn();
  Barrier(device_, buffer_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
  LINNET_RETURN_IF_ERROR(device_.Check(fn.EndCommandBuffer(buffer_), "vkEndCommandBuffer failed"));
  const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &buffer_};
  LINNET_RETURN_IF_ERROR(device_.Submit(info, fence_));
  return WaitFor(device_, fence_, kTimeoutNs);
}

Status CopyNow(Device& device, const Buffer& from, int64_t from_offset, const Buffer& to,
               int64_t to_offset, int64_t bytes) {
  OneTimeCommands commands(device);
  LINNET_RETURN_IF_ERROR(commands.Begin());
  const VkBufferCopy range = {.srcOffset = static_cast<VkDeviceSize>(from_offset),
                              .dstOffset = static_cast<VkDeviceSize>(to_offset),
                              .size = static_cast<VkDeviceSize>(bytes)};
  device.fn().CmdCopyBuffer(commands.buffer(), from.handle, to.handle, 1, &range);
  return commands.SubmitAndWait();
}

Status WaitFor(Device& device, VkFence fence, int64_t timeout_ns) {
  const VkResult result = device.fn().WaitForFences(device.handle(), 1, &fence, VK_TRUE,
                                                    static_cast<uint64_t>(timeout_ns));
  // Whatever went wrong, the GPU may still be working with our memory.
  if (result != VK_SUCCESS) {
    device.Lose();
    return {StatusCode::kDeviceLost,
            result == VK_TIMEOUT ? "the GPU did not finish in time" : "vkWaitForFences failed"};
  }
  return {};
}

}  // namespace linnet::vulkan
