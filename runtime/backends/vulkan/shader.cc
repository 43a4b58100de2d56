// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/shader.h"

// Made by CMakeLists.txt from shaders.def: for each row an array k_<name> with the words of
// spirv/<name>.inc, in the namespace linnet::vulkan::spirv, and k_<name>_half.
#include "runtime/backends/vulkan/all_spirv.h"

namespace linnet::vulkan {

bool HasModule(Shader shader, Precision precision) { return !SpirvOf(shader, precision).empty(); }

std::span<const uint32_t> SpirvOf(Shader shader, Precision precision) {
  const bool half = precision == Precision::kHalf;
  switch (shader) {
#define LINNET_SHADER(name) \
  case Shader::k_##name:    \
    if (half) return {};    \
    return spirv::k_##name;
#define LINNET_FLOAT_SHADER(name)            \
  case Shader::k_##name:                     \
    if (half) return spirv::k_##name##_half; \
    return spirv::k_##name;
#include "runtime/backends/vulkan/shaders.def"
    case Shader::kCount:
      break;
  }
  return {};
}

const char* NameOf(Shader shader) {
  switch (shader) {
#define LINNET_SHADER(name) \
  case Shader::k_##name:    \
    return #name;
#include "runtime/backends/vulkan/shaders.def"
    case Shader::kCount:
      break;
  }
  return "";
}

}  // namespace linnet::vulkan
