// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace linnet::vulkan {

// Rows of shaders.def.
enum class Shader : uint8_t {
#define LINNET_SHADER(name) k_##name,
#include "runtime/backends/vulkan/shaders.def"
#undef LINNET_SHADER
  kCount
};

// Words of the shader's SPIR-V module, made from shaders/<name>.comp.
std::span<const uint32_t> SpirvOf(Shader shader);
// "unary"
const char* NameOf(Shader shader);
// Of all modules.
uint64_t HashOfShaders();

}  // namespace linnet::vulkan
