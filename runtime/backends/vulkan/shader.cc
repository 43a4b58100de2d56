// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/shader.h"

// Made by CMakeLists.txt from shaders.def: for each row an array k_<name> with the words of
// spirv/<name>.inc, in the namespace linnet::vulkan::spirv.
#include "runtime/backends/vulkan/all_spirv.h"
#include "runtime/core/hash.h"

namespace linnet::vulkan {

std::span<const uint32_t> SpirvOf(Shader shader) {
  switch (shader) {
#define LINNET_SHADER(name) \
  case Shader::k_##name:    \
    return spirv::k_##name;
#include "runtime/backends/vulkan/shaders.def"
#undef LINNET_SHADER
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
#undef LINNET_SHADER
    case Shader::kCount:
      break;
  }
  return "";
}

uint64_t HashOfShaders() {
  uint64_t hash = 0;
  for (int i = 0; i < static_cast<int>(Shader::kCount); ++i)
    hash = HashBytes(std::as_bytes(SpirvOf(static_cast<Shader>(i))), hash);
  return hash;
}

}  // namespace linnet::vulkan
