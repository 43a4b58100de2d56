// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/commands.h"

#include <algorithm>

#include "runtime/core/checked.h"

namespace linnet::vulkan {

void WorkList::Append(Work* work) {
  (last == nullptr ? first : last->next) = work;
  last = work;
  ++count;
  bindings += static_cast<uint32_t>(work->num_bindings);
}

void FoldGroups(int64_t threads, uint32_t most, int64_t pieces, uint32_t* groups) {
  const int64_t all = CeilDiv(threads, kWorkgroupSize);
  const int64_t rows = std::min(CeilDiv(CeilDiv(all, most), pieces) * pieces, all);
  groups[0] = static_cast<uint32_t>(CeilDiv(all, rows));
  groups[1] = static_cast<uint32_t>(CeilDiv(all, groups[0]));
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

void Commands::AssignBuffers(const WorkList& works) {
  const int64_t most = device_.pace().buffer_ns;
  int64_t ns = 0;  // in the last buffer
  num_buffers_ = 1;
  for (Work* work = works.first; work != nullptr; work = work->next) {
    if (work != works.first && SaturatingAdd(ns, work->slow_ns) > most) {
      ++num_buffers_;
      ns = 0;
    }
    ns = SaturatingAdd(ns, work->slow_ns);
    work->buffer = num_buffers_ - 1;
  }
}

Status Commands::Create(const WorkList& works, const Pipelines& pipelines, Region& region) {
  AssignBuffers(works);
  buffers_ = region.New<VkCommandBuffer>(num_buffers_);
  if (buffers_ == nullptr) return {StatusCode::kNoMemory, "out of memory"};
  LINNET_RETURN_IF_ERROR(command_buffers_.Create(VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                                 {buffers_, static_cast<size_t>(num_buffers_)}));
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
  device_.fn().CmdPipelineBarrier(buffer(), VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, to, 0, 1,
                                  &barrier, 0, nullptr, 0, nullptr);
}

Status Commands::Begin(int buffer) {
  recording_ = buffer;
  // No flags: the same commands are submitted again and again, but not while they run.
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  return device_.Check(device_.fn().BeginCommandBuffer(buffers_[buffer], &begin),
                       "vkBeginCommandBuffer failed");
}

Status Commands::End() {
  return device_.Check(device_.fn().EndCommandBuffer(buffer()), "vkEndCommandBuffer failed");
}

Status Commands::Record(const WorkList& works, const Pipelines& pipelines,
                        const VkBuffer (&buffers)[kNumSegmentBuffers], VkQueryPool queries,
                        int num_parts) {
  const Functions& fn = device_.fn();
  constexpr VkPipelineStageFlagBits kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  constexpr VkAccessFlags kShader = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  for (const Work* work = works.first; work != nullptr; work = work->next)
    WriteDescriptors(*work, buffers);
  LINNET_RETURN_IF_ERROR(Begin(0));
  uint32_t written = 0;  // timestamps
  const auto time_parts_before = [&](int part) {
    for (; queries != VK_NULL_HANDLE && static_cast<int>(written) <= part; ++written)
      fn.CmdWriteTimestamp(buffer(), kCompute, queries, written);
  };
  if (queries != VK_NULL_HANDLE)
    fn.CmdResetQueryPool(buffer(), queries, 0, static_cast<uint32_t>(num_parts) + 1);
  // What other segments of the session wrote in their submissions.
  Barrier(kCompute, kShader);
  time_parts_before(0);
  // A barrier orders all that was submitted before, so hazards do not depend on command buffers.
  HazardFinder hazards;
  num_barriers_ = 0;
  int pipeline = -1;
  for (const Work* work = works.first; work != nullptr; work = work->next) {
    time_parts_before(work->part);
    if (work->buffer != recording_) {
      LINNET_RETURN_IF_ERROR(End());
      LINNET_RETURN_IF_ERROR(Begin(work->buffer));
      pipeline = -1;
    }
    if (hazards.NeedsBarrier({work->bindings, static_cast<size_t>(work->num_bindings)})) {
      Barrier(kCompute, kShader);
      ++num_barriers_;
    }
    if (work->pipeline != pipeline)
      fn.CmdBindPipeline(buffer(), VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[work->pipeline]);
    pipeline = work->pipeline;
    VkPipelineLayout layout = pipelines.layout(work->num_bindings);
    fn.CmdBindDescriptorSets(buffer(), VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &work->set, 0,
                             nullptr);
    if (work->push_bytes > 0)
      fn.CmdPushConstants(buffer(), layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, work->push_bytes,
                          work->push);
    if (work->first_row == 0) {
      fn.CmdDispatch(buffer(), work->groups[0], work->groups[1], 1);
    } else {
      fn.CmdDispatchBase(buffer(), 0, work->first_row, 0, work->groups[0], work->groups[1], 1);
    }
  }
  time_parts_before(num_parts);
  Barrier(VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  return End();
}

void Commands::Destroy() {
  command_buffers_.Destroy();
  if (device_.lost()) return;
  if (sets_ != VK_NULL_HANDLE) device_.fn().DestroyDescriptorPool(device_.handle(), sets_, nullptr);
  sets_ = VK_NULL_HANDLE;
}

}  // namespace linnet::vulkan
