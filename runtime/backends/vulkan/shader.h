// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace linnet::vulkan {

// Rows of shaders.def.
enum class Shader : uint8_t {
#define LINNET_SHADER(name) k_##name,
#include "runtime/backends/vulkan/shaders.def"
  kCount
};

// How a module of a shader keeps floats in tensors and weights: in 32 or in 16 bits. It computes
// with 32 in both.
enum class Precision : uint8_t { kSingle, kHalf };
inline constexpr int kNumPrecisions = 2;

// Whether the shader has a module for it.
bool HasModule(Shader shader, Precision precision);
// Words of that module, made from shaders/<name>.comp.
std::span<const uint32_t> SpirvOf(Shader shader, Precision precision = Precision::kSingle);
// "unary"
const char* NameOf(Shader shader);

}  // namespace linnet::vulkan
