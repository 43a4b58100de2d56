// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

#include "runtime/core/status.h"

namespace linnet::vulkan {

// Addresses of Vulkan's functions, the only way by which Linnet calls them. All come from one
// vkGetInstanceProcAddr, so a program that supplies its own (a test that injects faults) sees every
// call.
struct Functions {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
#define LINNET_VK_GLOBAL(name) PFN_vk##name name = nullptr;
#define LINNET_VK_INSTANCE(name) PFN_vk##name name = nullptr;
#define LINNET_VK_DEVICE(name) PFN_vk##name name = nullptr;
#include "runtime/backends/vulkan/functions.def"

  // Each fills its rows of functions.def; kUnsupported when one is missing.
  Status LoadGlobal(PFN_vkGetInstanceProcAddr get);
  Status LoadInstance(VkInstance instance);
  Status LoadDevice(VkDevice device);
};

// The names under which systems have Vulkan's library, null at the end.
extern const char* const kLibraryNames[];

// Opens the first of `names` that exists. kUnsupported when there is none. The library stays open
// until the process ends, because drivers do not all survive being unloaded.
Status OpenLibrary(const char* const* names, PFN_vkGetInstanceProcAddr* out);

}  // namespace linnet::vulkan
