// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/api/spied_vulkan.h"

#include <cstring>
#include <map>

#include "runtime/backends/vulkan/backend.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet {
namespace {

constexpr VkDeviceSize kKeptBytes = 1 << 16;

// Memory of the spy that the host and the device access: what was kept of an output, and behind it
// the word that is planted.
struct Kept {
  VkDevice device = VK_NULL_HANDLE;
  VkBuffer buffer = VK_NULL_HANDLE;
  std::byte* mapped = nullptr;
};

struct State {
  std::vector<size_t> cache_bytes;
  int without_cache = 0, with_cache = 0;
  bool keep = false, plant = false;
  int last_dispatch = 0;  // the number of dispatches in the commands that were recorded last
  int dispatch = 0;       // in the commands that are being recorded
  std::map<VkDescriptorSet, VkDescriptorBufferInfo> first_binding;
  VkDescriptorSet bound = VK_NULL_HANDLE;
  VkDeviceSize bytes = 0;  // of the output
  size_t word = 0;
  uint32_t values[2] = {};
  int submissions = 0;
  Kept kept;
};
State& The() {
  static State state;
  return state;
}

// The functions behind the spy.
struct Real {
  PFN_vkGetInstanceProcAddr instance = nullptr;
  PFN_vkGetDeviceProcAddr device = nullptr;
  PFN_vkCreatePipelineCache create_cache = nullptr;
  PFN_vkCreateComputePipelines create_pipelines = nullptr;
  PFN_vkUpdateDescriptorSets update_sets = nullptr;
  PFN_vkBeginCommandBuffer begin = nullptr;
  PFN_vkCmdBindDescriptorSets bind_sets = nullptr;
  PFN_vkCmdDispatch dispatch = nullptr;
  PFN_vkEndCommandBuffer end = nullptr;
  PFN_vkQueueSubmit submit = nullptr;
} real;
VkDevice current_device = VK_NULL_HANDLE;

template <typename Function>
Function DeviceFunction(const char* name) {
  return reinterpret_cast<Function>(real.device(current_device, name));
}

// Made once for each device and never freed: software drivers do not mind.
void MakeKept() {
  Kept& kept = The().kept;
  if (kept.device == current_device) return;
  kept = {.device = current_device};
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = kKeptBytes + 16,
      .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  DeviceFunction<PFN_vkCreateBuffer>("vkCreateBuffer")(current_device, &info, nullptr,
                                                       &kept.buffer);
  const VkMemoryAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = kKeptBytes + 4096,
      .memoryTypeIndex = vulkan::WatchedVulkan::host_memory_type()};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  DeviceFunction<PFN_vkAllocateMemory>("vkAllocateMemory")(current_device, &allocate, nullptr,
                                                           &memory);
  DeviceFunction<PFN_vkBindBufferMemory>("vkBindBufferMemory")(current_device, kept.buffer, memory,
                                                               0);
  void* mapped = nullptr;
  DeviceFunction<PFN_vkMapMemory>("vkMapMemory")(current_device, memory, 0, VK_WHOLE_SIZE, 0,
                                                 &mapped);
  kept.mapped = static_cast<std::byte*>(mapped);
}

void Barrier(VkCommandBuffer commands) {
  const VkMemoryBarrier all = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  DeviceFunction<PFN_vkCmdPipelineBarrier>("vkCmdPipelineBarrier")(
      commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all,
      0, nullptr, 0, nullptr);
}

void Copy(VkCommandBuffer commands, VkBuffer from, VkDeviceSize from_offset, VkBuffer to,
          VkDeviceSize to_offset, VkDeviceSize bytes) {
  Barrier(commands);
  const VkBufferCopy region = {from_offset, to_offset, bytes};
  DeviceFunction<PFN_vkCmdCopyBuffer>("vkCmdCopyBuffer")(commands, from, to, 1, &region);
  Barrier(commands);
}

VkResult VKAPI_CALL CreateCache(VkDevice device, const VkPipelineCacheCreateInfo* info,
                                const VkAllocationCallbacks* callbacks, VkPipelineCache* out) {
  The().cache_bytes.push_back(info->initialDataSize);
  return real.create_cache(device, info, callbacks, out);
}

VkResult VKAPI_CALL CreatePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                    const VkComputePipelineCreateInfo* infos,
                                    const VkAllocationCallbacks* callbacks, VkPipeline* out) {
  ++(cache == VK_NULL_HANDLE ? The().without_cache : The().with_cache);
  return real.create_pipelines(device, cache, count, infos, callbacks, out);
}

void VKAPI_CALL UpdateSets(VkDevice device, uint32_t count, const VkWriteDescriptorSet* writes,
                           uint32_t copies, const VkCopyDescriptorSet* copied) {
  for (uint32_t i = 0; i < count; ++i)
    if (writes[i].dstBinding == 0) The().first_binding[writes[i].dstSet] = *writes[i].pBufferInfo;
  real.update_sets(device, count, writes, copies, copied);
}

VkResult VKAPI_CALL Begin(VkCommandBuffer commands, const VkCommandBufferBeginInfo* info) {
  The().dispatch = 0;
  return real.begin(commands, info);
}

void VKAPI_CALL BindSets(VkCommandBuffer commands, VkPipelineBindPoint point,
                         VkPipelineLayout layout, uint32_t first, uint32_t count,
                         const VkDescriptorSet* sets, uint32_t offsets,
                         const uint32_t* dynamic_offsets) {
  The().bound = sets[0];
  real.bind_sets(commands, point, layout, first, count, sets, offsets, dynamic_offsets);
}

// The last dispatch of a segment fetches its last output, which is the shader's first binding.
void VKAPI_CALL Dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
  State& state = The();
  if (++state.dispatch == state.last_dispatch && (state.keep || state.plant)) {
    MakeKept();
    const VkDescriptorBufferInfo& output = state.first_binding[state.bound];
    state.bytes = output.range;
    if (state.keep)
      Copy(commands, output.buffer, output.offset, state.kept.buffer, 0, output.range);
    if (state.plant)
      Copy(commands, state.kept.buffer, kKeptBytes, output.buffer, output.offset + 4 * state.word,
           4);
  }
  real.dispatch(commands, x, y, z);
}

VkResult VKAPI_CALL End(VkCommandBuffer commands) {
  if (The().dispatch > 0) The().last_dispatch = The().dispatch;
  return real.end(commands);
}

VkResult VKAPI_CALL Submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos,
                           VkFence fence) {
  State& state = The();
  const uint32_t value = state.values[++state.submissions % 2];
  if (state.kept.mapped != nullptr) std::memcpy(state.kept.mapped + kKeptBytes, &value, 4);
  return real.submit(queue, count, infos, fence);
}

// Remembers a function of the driver in *out and returns the spy's.
template <typename Function>
PFN_vkVoidFunction Hook(PFN_vkVoidFunction driver, Function* out, Function spy) {
  *out = reinterpret_cast<Function>(driver);
  return reinterpret_cast<PFN_vkVoidFunction>(spy);
}

PFN_vkVoidFunction VKAPI_CALL DeviceProc(VkDevice device, const char* name) {
  current_device = device;
  const PFN_vkVoidFunction driver = real.device(device, name);
  const std::string_view wanted(name);
  if (wanted == "vkCreatePipelineCache") return Hook(driver, &real.create_cache, &CreateCache);
  if (wanted == "vkCreateComputePipelines")
    return Hook(driver, &real.create_pipelines, &CreatePipelines);
  if (wanted == "vkUpdateDescriptorSets") return Hook(driver, &real.update_sets, &UpdateSets);
  if (wanted == "vkBeginCommandBuffer") return Hook(driver, &real.begin, &Begin);
  if (wanted == "vkCmdBindDescriptorSets") return Hook(driver, &real.bind_sets, &BindSets);
  if (wanted == "vkCmdDispatch") return Hook(driver, &real.dispatch, &Dispatch);
  if (wanted == "vkEndCommandBuffer") return Hook(driver, &real.end, &End);
  if (wanted == "vkQueueSubmit") return Hook(driver, &real.submit, &Submit);
  return driver;
}

PFN_vkVoidFunction VKAPI_CALL InstanceProc(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction driver = real.instance(instance, name);
  if (std::string_view(name) == "vkGetDeviceProcAddr")
    return Hook(driver, &real.device, &DeviceProc);
  return driver;
}

vulkan::VulkanBackend& TheBackend() {
  static vulkan::VulkanBackend backend;
  return backend;
}

}  // namespace

PFN_vkGetInstanceProcAddr VulkanSpy::Get() {
  real.instance = vulkan::WatchedVulkan::Get();
  return real.instance == nullptr ? nullptr : &InstanceProc;
}

void VulkanSpy::Reset() {
  const Kept kept = The().kept;
  The() = {};
  The().kept = kept;
}

const std::vector<size_t>& VulkanSpy::cache_bytes() { return The().cache_bytes; }
int VulkanSpy::without_cache() { return The().without_cache; }
int VulkanSpy::with_cache() { return The().with_cache; }

void VulkanSpy::KeepOutput() { The().keep = true; }

std::vector<uint32_t> VulkanSpy::Output() {
  std::vector<uint32_t> words(The().bytes / 4);
  std::memcpy(words.data(), The().kept.mapped, 4 * words.size());
  return words;
}

void VulkanSpy::Plant(size_t word, uint32_t odd, uint32_t even) {
  State& state = The();
  state.plant = true;
  state.word = word;
  state.values[0] = even;
  state.values[1] = odd;
  state.submissions = 0;
}

void UseDevice(vulkan::Device* device) { TheBackend() = vulkan::VulkanBackend(device); }

namespace spied_vulkan {

const Backend& GetBackend() { return TheBackend(); }

}  // namespace spied_vulkan
}  // namespace linnet
