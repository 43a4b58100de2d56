// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/shader.h"

// Made by LinnetVulkan.cmake from shaders.def: spirv::kModules, with the bytes of spirv/*.inc.
#include "runtime/backends/vulkan/all_spirv.h"

namespace linnet::vulkan {

std::span<const uint8_t> PackedSpirvOf(Shader shader, ShaderMode mode) {
  for (const spirv::Module& module : spirv::kModules)
    if (module.shader == shader && module.mode == mode) return module.packed;
  return {};
}

const char* NameOf(Shader shader) {
  switch (shader) {
#define LINNET_SHADER(name, ...) \
  case Shader::k_##name:         \
    return #name;
#include "runtime/backends/vulkan/shaders.def"
#undef LINNET_SHADER
    case Shader::kCount:
      break;
  }
  return "";
}

}  // namespace linnet::vulkan
