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

Status OneTimeCommands::Begin() {
  LINNET_RETURN_IF_ERROR(device_.CheckAlive());
  LINNET_RETURN_IF_ERROR(buffers_.Create(VK_COMMAND_POOL_CREATE_TRANSIENT_BIT, {&buffer_, 1}));
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  LINNET_RETURN_IF_ERROR(device_.Check(device_.fn().BeginCommandBuffer(buffer(), &begin),
                                       "vkBeginCommandBuffer failed"));
  Barrier(device_, buffer(), VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
          VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
          VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  return {};
}

Status OneTimeCommands::SubmitAndWait() {
  Barrier(device_, buffer(), VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
  LINNET_RETURN_IF_ERROR(
      device_.Check(device_.fn().EndCommandBuffer(buffer()), "vkEndCommandBuffer failed"));
  return buffers_.Run(kTimeoutNs);
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

}  // namespace linnet::vulkan
