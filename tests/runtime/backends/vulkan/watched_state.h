// SPDX-License-Identifier: Apache-2.0
// What the functions in place of Vulkan's share; for watched_*.cc only.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "runtime/backends/vulkan/loader.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan::watched {

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

State& TheState();
// Remembers the first thing that was done wrong.
void Misuse(const char* what);
// Counts a call. True when it is to fail.
bool Count(const char* name, bool has_result);

// How many objects a successful call creates, or destroys.
inline int Created(std::string_view name) {
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
// The driver's own function, once the program has asked for it.
#define REAL(name) RealOf<Names::name, PFN_vk##name>()

}  // namespace linnet::vulkan::watched
