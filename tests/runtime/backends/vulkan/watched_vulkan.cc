// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "runtime/backends/vulkan/shader.h"
#include "tests/runtime/backends/vulkan/watched_limits.h"

namespace linnet::vulkan {
namespace {

struct Allocation {
  uint32_t type = 0;
  VkDeviceSize bytes = 0;
  void* real = nullptr;           // what the driver mapped
  std::vector<std::byte> shadow;  // what the program sees instead in a non-coherent profile
};

struct State {
  PFN_vkGetInstanceProcAddr real = nullptr;
  Profile profile;
  VkPhysicalDeviceLimits limits = {};  // as last reported
  int64_t fail_at = -1;
  std::string fail_always;
  VkResult failure = VK_SUCCESS;
  const char* failed = "";
  const char* misuse = "";
  uint32_t enabled = 0;  // features of the device
  uint32_t host_memory_type = 0;
  int64_t waited_ns = 0;
  int64_t calls = 0, calls_after_failure = 0, live = 0;
  bool working = false;         // something was submitted that nobody has waited for
  bool after_dispatch = false;  // of the commands that are recorded, until a barrier to the host
  int64_t barriers = 0, dropped_barrier = -1;
  int64_t pipelines = 0, pipelines_of_parts = 0;
  std::span<const uint32_t> replaced_shader, replacement;
  std::map<std::string, int64_t> calls_of;
  std::map<VkDeviceMemory, Allocation> memory;
};

State& TheState() {
  static State state;
  return state;
}

void Misuse(const char* what) {
  if (TheState().misuse[0] == '\0') TheState().misuse = what;
}

// Counts a call. True when it is to fail.
bool Count(const char* name, bool has_result) {
  State& state = TheState();
  ++state.calls_of[name];
  if (state.failed[0] != '\0') ++state.calls_after_failure;
  if (!has_result) return false;
  const bool fails = state.calls++ == state.fail_at || state.fail_always == name;
  if (fails && state.failed[0] == '\0') state.failed = name;
  return fails;
}

// How many objects a successful call creates, or destroys.
int Created(std::string_view name) {
  if (name.starts_with("vkCreate") || name == "vkAllocateMemory") return 1;
  return name.starts_with("vkDestroy") || name == "vkFreeMemory" ? -1 : 0;
}

// A function that counts itself and then calls `real`. One type per name.
template <typename Name, typename Function>
struct Counted;
template <typename Name, typename R, typename... Arguments>
struct Counted<Name, R(VKAPI_PTR*)(Arguments...)> {
  static inline R(VKAPI_PTR* real)(Arguments...) = nullptr;
  static R VKAPI_CALL Call(Arguments... arguments) {
    if constexpr (std::is_same_v<R, VkResult>) {
      if (Count(Name::kName, true)) return TheState().failure;
      const VkResult result = real(arguments...);
      if (result == VK_SUCCESS) TheState().live += Created(Name::kName);
      return result;
    } else {
      Count(Name::kName, false);
      TheState().live += Created(Name::kName);
      return real(arguments...);
    }
  }
};

struct Names {
#define LINNET_VK_GLOBAL(name)                       \
  struct name {                                      \
    static constexpr const char* kName = "vk" #name; \
  };
#define LINNET_VK_INSTANCE(name) LINNET_VK_GLOBAL(name)
#define LINNET_VK_DEVICE(name) LINNET_VK_GLOBAL(name)
// LINNET_VK_GLOBAL is used by the other two, so it is undefined only behind all rows.
#include "runtime/backends/vulkan/functions.def"
};

template <typename Name, typename Function>
Function RealOf() {
  return Counted<Name, Function>::real;
}
#define REAL(name) RealOf<Names::name, PFN_vk##name>()

// Vulkan promises that there is one.
uint32_t HostMemoryType(const VkPhysicalDeviceMemoryProperties& memory) {
  constexpr VkMemoryPropertyFlags kHost =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (uint32_t type = 0; type < memory.memoryTypeCount; ++type)
    if ((memory.memoryTypes[type].propertyFlags & kHost) == kHost) return type;
  Misuse("a driver without memory that both sides access");
  return 0;
}

// The functions that do more than count.

void VKAPI_CALL MemoryProperties(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties* out) {
  REAL(GetPhysicalDeviceMemoryProperties)(device, out);
  TheState().host_memory_type = HostMemoryType(*out);
  const Profile& profile = TheState().profile;
  if (!profile.discrete && !profile.non_coherent) return;
  const VkMemoryPropertyFlags coherent =
      profile.non_coherent ? 0 : VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const VkMemoryPropertyFlags host =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | coherent | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  out->memoryTypeCount = 2;
  out->memoryTypes[0] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | (profile.discrete ? 0 : host), 0};
  out->memoryTypes[1] = {host, 0};
}

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

void VKAPI_CALL Requirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements* out) {
  REAL(GetBufferMemoryRequirements)(device, buffer, out);
  const State& state = TheState();
  // The machine's host_memory_type stands for both.
  if (state.profile.discrete || state.profile.non_coherent)
    out->memoryTypeBits = (out->memoryTypeBits >> state.host_memory_type & 1) != 0 ? 3 : 0;
}

VkResult VKAPI_CALL Allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                             const VkAllocationCallbacks* callbacks, VkDeviceMemory* out) {
  State& state = TheState();
  if (Count("vkAllocateMemory", true)) return state.failure;
  VkMemoryAllocateInfo real = *info;
  if (state.profile.discrete || state.profile.non_coherent)
    real.memoryTypeIndex = state.host_memory_type;
  const VkResult result = REAL(AllocateMemory)(device, &real, callbacks, out);
  if (result != VK_SUCCESS) return result;
  ++state.live;
  state.memory[*out] = {.type = info->memoryTypeIndex, .bytes = info->allocationSize};
  return result;
}

VkResult VKAPI_CALL Submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos,
                           VkFence fence) {
  if (Count("vkQueueSubmit", true)) return TheState().failure;
  if (count > 0) TheState().working = true;
  return REAL(QueueSubmit)(queue, count, infos, fence);
}

void VKAPI_CALL Free(VkDevice device, VkDeviceMemory memory,
                     const VkAllocationCallbacks* callbacks) {
  State& state = TheState();
  Count("vkFreeMemory", false);
  if (state.working) Misuse("memory is freed while the device may use it");
  if (state.memory.erase(memory) == 0) Misuse("memory that does not exist is freed");
  --state.live;
  REAL(FreeMemory)(device, memory, callbacks);
}

VkResult VKAPI_CALL Map(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                        VkDeviceSize size, VkMemoryMapFlags flags, void** out) {
  State& state = TheState();
  if (Count("vkMapMemory", true)) return state.failure;
  Allocation& allocation = state.memory[memory];
  if (state.profile.discrete && allocation.type == 0) Misuse("the device's memory is mapped");
  const VkResult result = REAL(MapMemory)(device, memory, offset, size, flags, out);
  if (result != VK_SUCCESS || !state.profile.non_coherent) return result;
  allocation.real = *out;
  // Garbage, as in a cache that was never loaded. One kWatchedAtom more, to align it.
  allocation.shadow.assign(allocation.bytes + 256, std::byte{0xa5});
  const auto address = reinterpret_cast<uintptr_t>(allocation.shadow.data());
  *out = allocation.shadow.data() + (-address & 255);
  return result;
}

// Copies between what the program sees and what the device sees.
void CopyRanges(uint32_t count, const VkMappedMemoryRange* ranges, bool to_device) {
  for (uint32_t i = 0; i < count; ++i) {
    Allocation& allocation = TheState().memory[ranges[i].memory];
    const VkDeviceSize begin = ranges[i].offset, bytes = ranges[i].size;
    if (begin % kWatchedAtom != 0 || begin > allocation.bytes || bytes > allocation.bytes - begin ||
        (bytes % kWatchedAtom != 0 && begin + bytes != allocation.bytes)) {
      Misuse("a range of no whole atoms");
      continue;
    }
    if (allocation.real == nullptr) {
      Misuse("memory that is not mapped is flushed");
      continue;
    }
    const auto address = reinterpret_cast<uintptr_t>(allocation.shadow.data());
    std::byte* seen = allocation.shadow.data() + (-address & 255) + begin;
    std::byte* real = static_cast<std::byte*>(allocation.real) + begin;
    std::memcpy(to_device ? real : seen, to_device ? seen : real, bytes);
  }
}
VkResult VKAPI_CALL FlushRanges(VkDevice device, uint32_t count,
                                const VkMappedMemoryRange* ranges) {
  if (Count("vkFlushMappedMemoryRanges", true)) return TheState().failure;
  (void)device;
  CopyRanges(count, ranges, true);
  return VK_SUCCESS;
}
VkResult VKAPI_CALL InvalidateRanges(VkDevice device, uint32_t count,
                                     const VkMappedMemoryRange* ranges) {
  if (Count("vkInvalidateMappedMemoryRanges", true)) return TheState().failure;
  (void)device;
  CopyRanges(count, ranges, false);
  return VK_SUCCESS;
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

PFN_vkGetInstanceProcAddr WatchedVulkan::Get() {
  State& state = TheState();
  if (state.real == nullptr) {
    if (!OpenLibrary(kLibraryNames, &state.real).ok()) return nullptr;
    KeepDriversLoaded(state.real);
  }
  return &InstanceProc;
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
