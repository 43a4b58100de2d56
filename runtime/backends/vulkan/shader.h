// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace linnet::vulkan {

// Rows of shaders.def.
enum class Shader : uint8_t {
#define LINNET_SHADER(name, ...) k_##name,
#include "runtime/backends/vulkan/shaders.def"
#undef LINNET_SHADER
  kCount
};

// How a shader keeps the floats of its tensors and weights: in 32 bits, or packed as pairs of 16
// (Layout::kRows4Half), which it unpacks to compute. A shader's source is compiled once for each
// mode in its row, with LINNET_F32 or LINNET_F16P defined.
enum class ShaderMode : uint8_t { k_f32, k_f16p, kCount };

// The shader's SPIR-V module, made from shaders/<name>.comp, as spirv_packing.h unpacks it. Empty
// when the shader has no such mode.
std::span<const uint8_t> PackedSpirvOf(Shader shader, ShaderMode mode);
// "unary"
const char* NameOf(Shader shader);

}  // namespace linnet::vulkan
