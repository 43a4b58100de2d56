// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/backends/vulkan/validation_layer.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace linnet::vulkan {
namespace {

struct LayerState {
  PFN_vkGetInstanceProcAddr inner = nullptr;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  std::vector<std::string> messages;
};

LayerState& TheLayer() {
  static LayerState state;
  return state;
}

template <typename Function>
Function Inner(VkInstance instance, const char* name) {
  return reinterpret_cast<Function>(TheLayer().inner(instance, name));
}

VKAPI_ATTR VkBool32 VKAPI_CALL OnMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                         VkDebugUtilsMessageTypeFlagsEXT,
                                         const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  const char* id = data->pMessageIdName == nullptr ? "" : data->pMessageIdName;
  // With NVIDIA's driver (580.159.04) somebody behind Linnet asks for a function of video encoding
  // in the wrong way, once for each device.
  if (std::strcmp(id, "WARNING-vkGetDeviceProcAddr-device") == 0 &&
      std::strstr(data->pMessage, "VideoEncode") != nullptr)
    return VK_FALSE;
  TheLayer().messages.push_back(std::string(id) + ": " + data->pMessage);
  return VK_FALSE;
}

VkResult VKAPI_CALL CreateWithLayer(const VkInstanceCreateInfo* info,
                                    const VkAllocationCallbacks* callbacks, VkInstance* out) {
  std::vector<const char*> layers(info->ppEnabledLayerNames,
                                  info->ppEnabledLayerNames + info->enabledLayerCount);
  std::vector<const char*> extensions(info->ppEnabledExtensionNames,
                                      info->ppEnabledExtensionNames + info->enabledExtensionCount);
  layers.push_back("VK_LAYER_KHRONOS_validation");
  extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  VkInstanceCreateInfo changed = *info;
  changed.enabledLayerCount = static_cast<uint32_t>(layers.size());
  changed.ppEnabledLayerNames = layers.data();
  changed.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  changed.ppEnabledExtensionNames = extensions.data();
  const VkResult result =
      Inner<PFN_vkCreateInstance>(nullptr, "vkCreateInstance")(&changed, callbacks, out);
  if (result != VK_SUCCESS) return result;
  const VkDebugUtilsMessengerCreateInfoEXT listener = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .pfnUserCallback = &OnMessage};
  return Inner<PFN_vkCreateDebugUtilsMessengerEXT>(*out, "vkCreateDebugUtilsMessengerEXT")(
      *out, &listener, nullptr, &TheLayer().messenger);
}

void VKAPI_CALL DestroyWithLayer(VkInstance instance, const VkAllocationCallbacks* callbacks) {
  Inner<PFN_vkDestroyDebugUtilsMessengerEXT>(instance, "vkDestroyDebugUtilsMessengerEXT")(
      instance, TheLayer().messenger, nullptr);
  Inner<PFN_vkDestroyInstance>(instance, "vkDestroyInstance")(instance, callbacks);
}

PFN_vkVoidFunction VKAPI_CALL LayeredProc(VkInstance instance, const char* name) {
  if (std::strcmp(name, "vkCreateInstance") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(&CreateWithLayer);
  if (std::strcmp(name, "vkDestroyInstance") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(&DestroyWithLayer);
  return TheLayer().inner(instance, name);
}

}  // namespace

PFN_vkGetInstanceProcAddr ValidationLayer::Get(Looks looks, PFN_vkGetInstanceProcAddr inner) {
  const char* folder = std::getenv("LINNET_VULKAN_DRIVERS");
  if (folder == nullptr || inner == nullptr) return nullptr;
  std::error_code error;
  if (!std::filesystem::exists(std::string(folder) + "/VkLayer_khronos_validation.json", error))
    return nullptr;
  setenv("VK_LAYER_PATH", folder, 1);
  const bool between = looks == Looks::kBetweenDispatches;
  // Without the second of these, what shaders do to buffers is ignored.
  for (const char* name : {"VK_LAYER_VALIDATE_SYNC", "VK_LAYER_SYNCVAL_SHADER_ACCESSES_HEURISTIC"})
    setenv(name, between ? "1" : "0", 1);
  setenv("VK_LAYER_GPUAV_ENABLE", between ? "0" : "1", 1);
  setenv("VK_LAYER_VALIDATE_CORE", between ? "1" : "0", 1);  // the layer warns of doing both
  setenv("VK_LAYER_GPUAV_SAFE_MODE", "0", 1);  // drivers compile safe shaders ten times as long
  // Else equal messages are left out after the tenth.
  setenv("VK_LAYER_ENABLE_MESSAGE_LIMIT", "0", 1);
  TheLayer() = {.inner = inner};
  return &LayeredProc;
}

const std::vector<std::string>& ValidationLayer::messages() { return TheLayer().messages; }
void ValidationLayer::Forget() { TheLayer().messages.clear(); }

}  // namespace linnet::vulkan
