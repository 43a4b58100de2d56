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

// How a shader keeps the floats of its tensors and weights, and computes with them: in 32 bits; or
// packed as pairs of 16 (Layout::kRows4Half), which k_f16p unpacks to compute in 32 bits, while
// k_f16a multiplies and adds in 16 as sums.glsl describes. A shader's source is compiled once for
// each mode in its row, with LINNET_F32, LINNET_F16P or LINNET_F16A defined.
enum class ShaderMode : uint8_t { k_f32, k_f16p, k_f16a, kCount };

// What not every device can do, as bits.
enum Feature : uint32_t { kFloat16 = 1 };  // shaderFloat16: floats of 16 bits in registers
// What a device must be able to do for the modules of a mode.
constexpr uint32_t FeaturesOf(ShaderMode mode) {
  return mode == ShaderMode::k_f16a ? uint32_t{kFloat16} : 0;
}

// The shader's SPIR-V module, made from shaders/<name>.comp, as spirv_packing.h unpacks it. Empty
// when the shader has no such mode.
std::span<const uint8_t> PackedSpirvOf(Shader shader, ShaderMode mode);
// "unary"
const char* NameOf(Shader shader);
// Of all modules.
uint64_t HashOfShaders();

}  // namespace linnet::vulkan
