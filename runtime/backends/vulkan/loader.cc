// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/loader.h"

#include <dlfcn.h>

namespace linnet::vulkan {

const char* const kLibraryNames[] = {"libvulkan.so.1", "libvulkan.so", "libMoltenVK.dylib",
                                     nullptr};

Status OpenLibrary(const char* const* names, PFN_vkGetInstanceProcAddr* out) {
  for (; *names != nullptr; ++names) {
    void* library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    *out = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
    if (*out != nullptr) return {};
    dlclose(library);
  }
  return {StatusCode::kUnsupported, "no Vulkan library is installed"};
}

Status Functions::LoadGlobal(PFN_vkGetInstanceProcAddr get) {
  GetInstanceProcAddr = get;
  bool all = true;
#define LINNET_VK_GLOBAL(name)                                     \
  name = reinterpret_cast<PFN_vk##name>(get(nullptr, "vk" #name)); \
  all = all && name != nullptr;
#include "runtime/backends/vulkan/functions.def"
  if (EnumerateInstanceVersion == nullptr)
    return {StatusCode::kUnsupported, "the Vulkan library is of version 1.0, want 1.1"};
  if (!all) return {StatusCode::kUnsupported, "the Vulkan library lacks a function"};
  return {};
}

Status Functions::LoadInstance(VkInstance instance) {
  bool all = true;
#define LINNET_VK_INSTANCE(name)                                                    \
  name = reinterpret_cast<PFN_vk##name>(GetInstanceProcAddr(instance, "vk" #name)); \
  all = all && name != nullptr;
#include "runtime/backends/vulkan/functions.def"
  if (!all) return {StatusCode::kUnsupported, "the Vulkan library lacks a function"};
  return {};
}

Status Functions::LoadDevice(VkDevice device) {
  bool all = true;
#define LINNET_VK_DEVICE(name)                                                  \
  name = reinterpret_cast<PFN_vk##name>(GetDeviceProcAddr(device, "vk" #name)); \
  all = all && name != nullptr;
#include "runtime/backends/vulkan/functions.def"
  if (!all) return {StatusCode::kUnsupported, "the Vulkan driver lacks a function"};
  return {};
}

}  // namespace linnet::vulkan
