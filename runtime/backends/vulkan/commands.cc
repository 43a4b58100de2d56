// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/commands.h"

#include <algorithm>

#include "runtime/backends/vulkan/one_time_commands.h"
#include "runtime/core/checked.h"

namespace linnet::vulkan {

void WorkList::Append(Work* work) {
  (last == nullptr ? first : last->next) = work;
  last = work;
  ++count;
  bindings += static_cast<uint32_t>(work->num_bindings);
}

void FoldGroups(int64_t threads, uint32_t most, uint32_t* groups) {
  const int64_t all = CeilDiv(threads, kWorkgroupSize);
  const int64_t rows = CeilDiv(all, most);
  groups[0] = static_cast<uint32_t>(CeilDiv(all, rows));
  groups[1] = static_cast<uint32_t>(rows);
}

Status Commands::AllocateSets(const WorkList& works, const Pipelines& pipelines) {
  if (works.count == 0) return {};
  const Functions& fn = device_.fn();
  const VkDescriptorPoolSize size = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                     .descriptorCount = std::max(works.bindings, 1u)};
  const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                           .maxSets = works.count,
                                           .poolSizeCount = 1,
                                           .pPoolSizes = &size};
  LINNET_RETURN_IF_ERROR(
      device_.Check(fn.CreateDescriptorPool(device_.handle(), &pool, nullptr, &sets_),
                    "vkCreateDescriptorPool failed"));
  for (Work* work = works.first; work != nullptr; work = work->next) {
    VkDescriptorSetLayout layout = pipelines.set_layout(work->num_bindings);
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = sets_,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout};
    LINNET_RETURN_IF_ERROR(
        device_.Check(fn.AllocateDescriptorSets(device_.handle(), &info, &work->set),
                      "vkAllocateDescriptorSets failed"));
  }
  return {};
}

Status Commands::Create(const WorkList& works, const Pipelines& pipelines) {
  const Functions& fn = device_.fn();
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                        .queueFamilyIndex = device_.facts().queue_family};
  LINNET_RETURN_IF_ERROR(
      device_.Check(fn.CreateCommandPool(device_.handle(), &pool, nullptr, &pool_),
                    "vkCreateCommandPool failed"));
  const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = pool_,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
  LINNET_RETURN_IF_ERROR(
      device_.Check(fn.AllocateCommandBuffers(device_.handle(), &info, &commands_),
                    "vkAllocateCommandBuffers failed"));
  const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  LINNET_RETURN_IF_ERROR(device_.Check(fn.CreateFence(device_.handle(), &fence, nullptr, &fence_),
                                       "vkCreateFence failed"));
  return AllocateSets(works, pipelines);
}

void Commands::WriteDescriptors(const Work& work, const VkBuffer (&buffers)[kNumSegmentBuffers]) {
  VkDescriptorBufferInfo windows[kMaxOperands];
  VkWriteDescriptorSet writes[kMaxOperands];
  for (int i = 0; i < work.num_bindings; ++i) {
    const Access& window = work.bindings[i];
    windows[i] = {.buffer = buffers[window.buffer],
                  .offset = static_cast<VkDeviceSize>(window.begin),
                  .range = static_cast<VkDeviceSize>(window.end - window.begin)};
    writes[i] = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                 .dstSet = work.set,
                 .dstBinding = static_cast<uint32_t>(i),
                 .descriptorCount = 1,
                 .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                 .pBufferInfo = &windows[i]};
  }
  device_.fn().UpdateDescriptorSets(device_.handle(), static_cast<uint32_t>(work.num_bindings),
                                    writes, 0, nullptr);
}

// Lets nothing that follows start before all dispatches so far have ended and what they wrote is
// visible. One barrier for all memory costs no more on any GPU than one per buffer.
void Commands::Barrier(VkPipelineStageFlags to, VkAccessFlags accesses) {
  const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                   .dstAccessMask = accesses};
  device_.fn().CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, to, 0, 1,
                                  &barrier, 0, nullptr, 0, nullptr);
}

Status Commands::Record(const WorkList& works, const Pipelines& pipelines,
                        const VkBuffer (&buffers)[kNumSegmentBuffers], VkQueryPool queries,
                        int num_steps) {
  const Functions& fn = device_.fn();
  constexpr VkPipelineStageFlagBits kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  constexpr VkAccessFlags kShader = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  // No flags: the same commands are submitted again and again, but not while they run.
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  for (const Work* work = works.first; work != nullptr; work = work->next)
    WriteDescriptors(*work, buffers);
  LINNET_RETURN_IF_ERROR(
      device_.Check(fn.BeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer failed"));
  uint32_t written = 0;  // timestamps
  const auto time_steps_before = [&](int step) {
    for (; queries != VK_NULL_HANDLE && static_cast<int>(written) <= step; ++written)
      fn.CmdWriteTimestamp(commands_, kCompute, queries, written);
  };
  if (queries != VK_NULL_HANDLE)
    fn.CmdResetQueryPool(commands_, queries, 0, static_cast<uint32_t>(num_steps) + 1);
  // What other segments of the session wrote in their submissions.
  Barrier(kCompute, kShader);
  time_steps_before(0);
  HazardFinder hazards;
  num_barriers_ = 0;
  int pipeline = -1;
  for (const Work* work = works.first; work != nullptr; work = work->next) {
    time_steps_before(std::min(work->step, num_steps));
    if (hazards.NeedsBarrier({work->bindings, static_cast<size_t>(work->num_bindings)})) {
      Barrier(kCompute, kShader);
      ++num_barriers_;
    }
    if (work->pipeline != pipeline)
      fn.CmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[work->pipeline]);
    pipeline = work->pipeline;
    VkPipelineLayout layout = pipelines.layout(work->num_bindings);
    fn.CmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &work->set, 0,
                             nullptr);
    if (work->push_bytes > 0)
      fn.CmdPushConstants(commands_, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, work->push_bytes,
                          work->push);
    fn.CmdDispatch(commands_, work->groups[0], work->groups[1], 1);
  }
  time_steps_before(num_steps);
  Barrier(VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  return device_.Check(fn.EndCommandBuffer(commands_), "vkEndCommandBuffer failed");
}

Status Commands::Run(int64_t timeout_ns) {
  LINNET_RETURN_IF_ERROR(device_.Check(device_.fn().ResetFences(device_.handle(), 1, &fence_),
                                       "vkResetFences failed"));
  const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                             .commandBufferCount = 1,
                             .pCommandBuffers = &commands_};
  LINNET_RETURN_IF_ERROR(device_.Submit(info, fence_));
  return WaitFor(device_, fence_, timeout_ns);
}

void Commands::Destroy() {
  if (device_.lost()) return;
  const Functions& fn = device_.fn();
  if (fence_ != VK_NULL_HANDLE) fn.DestroyFence(device_.handle(), fence_, nullptr);
  if (sets_ != VK_NULL_HANDLE) fn.DestroyDescriptorPool(device_.handle(), sets_, nullptr);
  if (pool_ != VK_NULL_HANDLE) fn.DestroyCommandPool(device_.handle(), pool_, nullptr);
  fence_ = VK_NULL_HANDLE;
  sets_ = VK_NULL_HANDLE;
  pool_ = VK_NULL_HANDLE;
}

}  // namespace linnet::vulkan
