// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>

#include "runtime/backends/vulkan/shader.h"
#include "tests/runtime/backends/vulkan/watched_limits.h"
#include "tests/runtime/backends/vulkan/watched_memory.h"
#include "tests/runtime/backends/vulkan/watched_state.h"

namespace linnet::vulkan {
namespace watched {

State& TheState() {
  static State state;
  return state;
}

void Misuse(const char* what) {
  if (TheState().misuse[0] == '\0') TheState().misuse = what;
}

bool Count(const char* name, bool has_result) {
  State& state = TheState();
  ++state.calls_of[name];
  if (state.failed[0] != '\0') ++state.calls_after_failure;
  if (!has_result) return false;
  const bool fails = state.calls++ == state.fail_at || state.fail_always == name;
  if (fails && state.failed[0] == '\0') state.failed = name;
  return fails;
}

namespace {

// The functions that do more than count.

void ChangeProperties(VkPhysicalDeviceProperties* out) {
  State& state = TheState();
  ChangeLimits(state.profile, &out->limits);
  if (state.profile.api_version > 0) out->apiVersion = state.profile.api_version;
  if (state.profile.vendor_id > 0) {
    out->vendorID = state.profile.vendor_id;
    out->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  }
  state.limits = out->limits;
}
void VKAPI_CALL Properties(VkPhysicalDevice device, VkPhysicalDeviceProperties* out) {
  REAL(GetPhysicalDeviceProperties)(device, out);
  ChangeProperties(out);
}
void VKAPI_CALL Properties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* out) {
  REAL(GetPhysicalDeviceProperties2)(device, out);
  ChangeProperties(&out->properties);
}

void VKAPI_CALL Features2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2* out) {
  Count("vkGetPhysicalDeviceFeatures2", false);
  REAL(GetPhysicalDeviceFeatures2)(device, out);
  auto* halves = static_cast<VkPhysicalDeviceShaderFloat16Int8Features*>(out->pNext);
  if (TheState().profile.no_halves) halves->shaderFloat16 = VK_FALSE;
}

VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                 const VkAllocationCallbacks* callbacks, VkDevice* out) {
  State& state = TheState();
  if (Count("vkCreateDevice", true)) return state.failure;
  const auto* halves = static_cast<const VkPhysicalDeviceShaderFloat16Int8Features*>(info->pNext);
  state.enabled = halves != nullptr && halves->shaderFloat16 == VK_TRUE ? uint32_t{kFloat16} : 0;
  if (halves != nullptr && halves->shaderInt8 != VK_FALSE) Misuse("a feature that nobody uses");
  const VkResult result = REAL(CreateDevice)(physical, info, callbacks, out);
  if (result == VK_SUCCESS) ++state.live;
  return result;
}

VkResult VKAPI_CALL Devices(VkInstance instance, uint32_t* count, VkPhysicalDevice* out) {
  if (Count("vkEnumeratePhysicalDevices", true)) return TheState().failure;
  if (!TheState().profile.no_device) return REAL(EnumeratePhysicalDevices)(instance, count, out);
  *count = 0;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL Submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos,
                           VkFence fence) {
  if (Count("vkQueueSubmit", true)) return TheState().failure;
  if (count > 0) TheState().working = true;
  return REAL(QueueSubmit)(queue, count, infos, fence);
}

VkResult VKAPI_CALL CreateShader(VkDevice device, const VkShaderModuleCreateInfo* info,
                                 const VkAllocationCallbacks* callbacks, VkShaderModule* out) {
  State& state = TheState();
  if (Count("vkCreateShaderModule", true)) return state.failure;
  VkShaderModuleCreateInfo changed = *info;
  const std::span<const uint32_t> words(info->pCode, info->codeSize / sizeof(uint32_t));
  if (std::ranges::equal(words, state.replaced_shader)) {
    changed.codeSize = state.replacement.size_bytes();
    changed.pCode = state.replacement.data();
  }
  const VkResult result = REAL(CreateShaderModule)(device, &changed, callbacks, out);
  if (result == VK_SUCCESS) ++state.live;
  return result;
}

// A driver that cannot make one of several pipelines still returns the others.
VkResult VKAPI_CALL CreatePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                    const VkComputePipelineCreateInfo* infos,
                                    const VkAllocationCallbacks* callbacks, VkPipeline* out) {
  const bool fails = Count("vkCreateComputePipelines", true);
  TheState().pipelines += count;
  for (uint32_t i = 0; i < count; ++i) {
    if (const char* what = WhyBeyond(TheState().limits, infos[i])) Misuse(what);
    if ((infos[i].flags & VK_PIPELINE_CREATE_DISPATCH_BASE) != 0) ++TheState().pipelines_of_parts;
  }
  const VkResult result = REAL(CreateComputePipelines)(device, cache, count, infos, callbacks, out);
  if (result != VK_SUCCESS) return result;
  TheState().live += count;
  if (!fails) return result;
  REAL(DestroyPipeline)(device, out[0], callbacks);
  out[0] = VK_NULL_HANDLE;
  --TheState().live;
  return TheState().failure;
}

VkResult VKAPI_CALL Wait(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all,
                         uint64_t timeout) {
  if (Count("vkWaitForFences", true)) return TheState().failure;
  const auto start = std::chrono::steady_clock::now();
  const VkResult result = REAL(WaitForFences)(device, count, fences, all, timeout);
  if (result == VK_SUCCESS) TheState().working = false;
  TheState().waited_ns += (std::chrono::steady_clock::now() - start) / std::chrono::nanoseconds(1);
  return result;
}

void VKAPI_CALL UpdateSets(VkDevice device, uint32_t count, const VkWriteDescriptorSet* writes,
                           uint32_t copy_count, const VkCopyDescriptorSet* copies) {
  Count("vkUpdateDescriptorSets", false);
  for (uint32_t i = 0; i < count; ++i)
    if (const char* what = WhyBeyond(TheState().limits, writes[i])) Misuse(what);
  REAL(UpdateDescriptorSets)(device, count, writes, copy_count, copies);
}

void VKAPI_CALL Push(VkCommandBuffer commands, VkPipelineLayout layout, VkShaderStageFlags stages,
                     uint32_t offset, uint32_t bytes, const void* values) {
  Count("vkCmdPushConstants", false);
  if (offset + bytes > TheState().limits.maxPushConstantsSize) Misuse("too many push constants");
  REAL(CmdPushConstants)(commands, layout, stages, offset, bytes, values);
}

void VKAPI_CALL Dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
  Count("vkCmdDispatch", false);
  const uint32_t* most = TheState().limits.maxComputeWorkGroupCount;
  if (x > most[0] || y > most[1] || z > most[2]) Misuse("a dispatch of too many workgroups");
  TheState().after_dispatch = true;
  REAL(CmdDispatch)(commands, x, y, z);
}

void VKAPI_CALL DispatchBase(VkCommandBuffer commands, uint32_t from_x, uint32_t from_y,
                             uint32_t from_z, uint32_t x, uint32_t y, uint32_t z) {
  Count("vkCmdDispatchBase", false);
  const uint32_t* most = TheState().limits.maxComputeWorkGroupCount;
  if (from_x + x > most[0] || from_y + y > most[1] || from_z + z > most[2])
    Misuse("a dispatch of too many workgroups");
  TheState().after_dispatch = true;
  REAL(CmdDispatchBase)(commands, from_x, from_y, from_z, x, y, z);
}

void VKAPI_CALL Barrier(VkCommandBuffer commands, VkPipelineStageFlags from,
                        VkPipelineStageFlags to, VkDependencyFlags flags, uint32_t count,
                        const VkMemoryBarrier* barriers, uint32_t buffer_count,
                        const VkBufferMemoryBarrier* buffers, uint32_t image_count,
                        const VkImageMemoryBarrier* images) {
  Count("vkCmdPipelineBarrier", false);
  State& state = TheState();
  if (state.after_dispatch && (to & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) &&
      state.barriers++ == state.dropped_barrier)
    return;
  if (to & VK_PIPELINE_STAGE_HOST_BIT) state.after_dispatch = false;
  REAL(CmdPipelineBarrier)
  (commands, from, to, flags, count, barriers, buffer_count, buffers, image_count, images);
}

PFN_vkVoidFunction VKAPI_CALL DeviceProc(VkDevice device, const char* name);

// The watched function in place of `real`, which its name has in the driver.
PFN_vkVoidFunction Watched(const char* name, PFN_vkVoidFunction real) {
  if (real == nullptr) return nullptr;
  PFN_vkVoidFunction watched = nullptr;
#define LINNET_VK_GLOBAL(function)                                                               \
  if (std::strcmp(name, "vk" #function) == 0) {                                                  \
    Counted<Names::function, PFN_vk##function>::real = reinterpret_cast<PFN_vk##function>(real); \
    watched =                                                                                    \
        reinterpret_cast<PFN_vkVoidFunction>(&Counted<Names::function, PFN_vk##function>::Call); \
  }
#define LINNET_VK_INSTANCE(function) LINNET_VK_GLOBAL(function)
#define LINNET_VK_DEVICE(function) LINNET_VK_GLOBAL(function)
#include "runtime/backends/vulkan/functions.def"
  const struct {
    const char* name;
    PFN_vkVoidFunction function;
  } special[] = {
#define SPECIAL(name, function) {"vk" #name, reinterpret_cast<PFN_vkVoidFunction>(&function)}
      SPECIAL(GetDeviceProcAddr, DeviceProc),
      SPECIAL(GetPhysicalDeviceMemoryProperties, MemoryProperties),
      SPECIAL(GetPhysicalDeviceProperties, Properties),
      SPECIAL(GetPhysicalDeviceProperties2, Properties2),
      SPECIAL(GetPhysicalDeviceFeatures2, Features2),
      SPECIAL(EnumeratePhysicalDevices, Devices),
      SPECIAL(CreateDevice, CreateDevice),
      SPECIAL(GetBufferMemoryRequirements, Requirements),
      SPECIAL(AllocateMemory, Allocate),
      SPECIAL(FreeMemory, Free),
      SPECIAL(MapMemory, Map),
      SPECIAL(FlushMappedMemoryRanges, FlushRanges),
      SPECIAL(InvalidateMappedMemoryRanges, InvalidateRanges),
      SPECIAL(CreateComputePipelines, CreatePipelines),
      SPECIAL(UpdateDescriptorSets, UpdateSets),
      SPECIAL(WaitForFences, Wait),
      SPECIAL(CmdPushConstants, Push),
      SPECIAL(CmdDispatch, Dispatch),
      SPECIAL(CmdDispatchBase, DispatchBase),
      SPECIAL(QueueSubmit, Submit),
      SPECIAL(CreateShaderModule, CreateShader),
      SPECIAL(CmdPipelineBarrier, Barrier),
#undef SPECIAL
  };
  for (const auto& row : special)
    if (std::strcmp(name, row.name) == 0) return row.function;
  return watched == nullptr ? real : watched;
}

PFN_vkVoidFunction VKAPI_CALL DeviceProc(VkDevice device, const char* name) {
  return Watched(name, REAL(GetDeviceProcAddr)(device, name));
}
PFN_vkVoidFunction VKAPI_CALL InstanceProc(VkInstance instance, const char* name) {
  return Watched(name, TheState().real(instance, name));
}

// An instance that is never destroyed keeps the drivers loaded. So leak checkers know whose code
// allocated what.
void KeepDriversLoaded(PFN_vkGetInstanceProcAddr real) {
  static VkInstance instance = nullptr;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(real(nullptr, "vkCreateInstance"));
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  if (create == nullptr || create(&info, nullptr, &instance) != VK_SUCCESS) instance = nullptr;
}

}  // namespace
}  // namespace watched

using watched::TheState;

PFN_vkGetInstanceProcAddr WatchedVulkan::Get() {
  watched::State& state = TheState();
  if (state.real == nullptr) {
    if (!OpenLibrary(kLibraryNames, &state.real).ok()) return nullptr;
    watched::KeepDriversLoaded(state.real);
  }
  return &watched::InstanceProc;
}

void WatchedVulkan::Reset(const Profile& profile) {
  const PFN_vkGetInstanceProcAddr real = TheState().real;
  const uint32_t host_memory_type = TheState().host_memory_type;  // a device may still be open
  TheState() = {};
  TheState().real = real;
  TheState().host_memory_type = host_memory_type;
  TheState().profile = profile;
}

void WatchedVulkan::FailAt(int64_t call, VkResult result) {
  TheState().fail_at = call;
  TheState().failure = result;
}
void WatchedVulkan::FailAlways(const char* name, VkResult result) {
  TheState().fail_always = name;
  TheState().failure = result;
}
void WatchedVulkan::DropBarrier(int64_t barrier) {
  TheState().barriers = 0;
  TheState().dropped_barrier = barrier;
}
int64_t WatchedVulkan::barriers() { return TheState().barriers; }
int64_t WatchedVulkan::pipelines() { return TheState().pipelines; }
int64_t WatchedVulkan::pipelines_of_parts() { return TheState().pipelines_of_parts; }
void WatchedVulkan::ReplaceShader(std::span<const uint32_t> words, std::span<const uint32_t> by) {
  TheState().replaced_shader = words;
  TheState().replacement = by;
}
uint32_t WatchedVulkan::host_memory_type() { return TheState().host_memory_type; }
uint32_t WatchedVulkan::enabled_features() { return TheState().enabled; }
const char* WatchedVulkan::failed() { return TheState().failed; }
int64_t WatchedVulkan::calls_after_failure() { return TheState().calls_after_failure; }
int64_t WatchedVulkan::calls() { return TheState().calls; }
int64_t WatchedVulkan::calls_of(const char* name) { return TheState().calls_of[name]; }
int64_t WatchedVulkan::waited_ns() { return TheState().waited_ns; }
int64_t WatchedVulkan::live() { return TheState().live; }
int64_t WatchedVulkan::live_bytes() {
  int64_t sum = 0;
  for (const auto& [memory, allocation] : TheState().memory)
    sum += static_cast<int64_t>(allocation.bytes);
  return sum;
}
const char* WatchedVulkan::misuse() { return TheState().misuse; }

}  // namespace linnet::vulkan
