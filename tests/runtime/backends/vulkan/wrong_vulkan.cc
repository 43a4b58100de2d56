// SPDX-License-Identifier: Apache-2.0
// A libvulkan.so.1 for other programs: the library that the environment variable LINNET_TEST_VULKAN
// names, but for the shader that LINNET_TEST_WRONG_SHADER names ("softmax"). There additions
// multiply and multiplications add: its results are wrong, and the module stays valid.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime/backends/vulkan/loader.h"
#include "runtime/backends/vulkan/shader.h"
#include "runtime/backends/vulkan/spirv_packing.h"

namespace linnet::vulkan {
namespace {

PFN_vkGetInstanceProcAddr real_instance_proc = nullptr;
PFN_vkGetDeviceProcAddr real_device_proc = nullptr;
PFN_vkCreateShaderModule real_create_shader_module = nullptr;

// The words of the module that the library holds for the shader of this name; none when there is
// none.
std::vector<uint32_t> WordsOf(const char* name) {
  for (int i = 0; i < static_cast<int>(Shader::kCount); ++i) {
    const auto shader = static_cast<Shader>(i);
    if (std::strcmp(NameOf(shader), name) != 0) continue;
    const std::span<const uint8_t> packed = PackedSpirvOf(shader, ShaderMode::k_f32);
    std::vector<uint32_t> words(NumSpirvWords(packed));
    if (UnpackSpirv(packed, words)) return words;
  }
  return {};
}

// What the instruction does instead.
uint32_t WrongOpcode(uint32_t opcode) {
  constexpr uint32_t kFAdd = 129, kFMul = 133;
  if (opcode == kFAdd) return kFMul;
  return opcode == kFMul ? kFAdd : opcode;
}

void MakeWrong(std::vector<uint32_t>& words) {
  constexpr size_t kHeader = 5;
  for (size_t i = kHeader; i < words.size();) {
    const uint32_t length = words[i] >> 16;
    if (length == 0) return;
    words[i] = length << 16 | WrongOpcode(words[i] & 0xffff);
    i += length;
  }
}

VkResult VKAPI_CALL CreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo* info,
                                       const VkAllocationCallbacks* callbacks,
                                       VkShaderModule* out) {
  const char* const name = std::getenv("LINNET_TEST_WRONG_SHADER");
  std::vector<uint32_t> words = WordsOf(name == nullptr ? "" : name);
  VkShaderModuleCreateInfo wrong = *info;
  if (!words.empty() && info->codeSize == words.size() * sizeof(uint32_t) &&
      std::memcmp(info->pCode, words.data(), info->codeSize) == 0) {
    MakeWrong(words);
    wrong.pCode = words.data();
  }
  return real_create_shader_module(device, &wrong, callbacks, out);
}

PFN_vkVoidFunction VKAPI_CALL DeviceProc(VkDevice device, const char* name) {
  const PFN_vkVoidFunction real = real_device_proc(device, name);
  if (std::strcmp(name, "vkCreateShaderModule") != 0) return real;
  real_create_shader_module = reinterpret_cast<PFN_vkCreateShaderModule>(real);
  return reinterpret_cast<PFN_vkVoidFunction>(&CreateShaderModule);
}

PFN_vkVoidFunction InstanceProc(VkInstance instance, const char* name) {
  if (real_instance_proc == nullptr) {
    const char* const library = std::getenv("LINNET_TEST_VULKAN");
    const char* const names[] = {library == nullptr ? "" : library, nullptr};
    if (!OpenLibrary(names, &real_instance_proc).ok()) {
      std::fputs("wrong_vulkan: LINNET_TEST_VULKAN names no Vulkan library\n", stderr);
      return nullptr;
    }
  }
  const PFN_vkVoidFunction real = real_instance_proc(instance, name);
  if (std::strcmp(name, "vkGetDeviceProcAddr") != 0) return real;
  real_device_proc = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
  return reinterpret_cast<PFN_vkVoidFunction>(&DeviceProc);
}

}  // namespace
}  // namespace linnet::vulkan

extern "C" __attribute__((visibility("default"))) PFN_vkVoidFunction VKAPI_CALL
vkGetInstanceProcAddr(VkInstance instance, const char* name) {
  return linnet::vulkan::InstanceProc(instance, name);
}
