// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>

namespace linnet {

// IEEE binary16 bits to float: exact, subnormals, infinities and NaN included.
inline float HalfToFloat(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t rest = static_cast<uint32_t>(half & 0x7fffu) << 13;
  // Scaling by 2^112 moves the exponent bias and normalises subnormals in one step.
  constexpr float kScale = 0x1.0p112f;
  uint32_t bits = std::bit_cast<uint32_t>(std::bit_cast<float>(rest) * kScale);
  if ((half & 0x7c00u) == 0x7c00u) bits = rest | 0x7f800000u;
  // Flush-to-zero would lose subnormal halves above, so they are rebuilt from the integer.
  if ((half & 0x7c00u) == 0)
    bits = std::bit_cast<uint32_t>(static_cast<float>(half & 0x3ffu) * 0x1.0p-24f);
  return std::bit_cast<float>(bits | sign);
}

// Float to IEEE binary16 bits, round to nearest even; overflow gives infinity, NaN stays NaN.
inline uint16_t FloatToHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u;
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u;  // rounds to >= 65536
  if (magnitude < 0x38800000u) {                        // subnormal half: below 2^-14
    const float scaled = std::bit_cast<float>(magnitude) * 0x1.0p24f;
    uint32_t whole = static_cast<uint32_t>(scaled);
    const float rest = scaled - static_cast<float>(whole);
    if (rest > 0.5f || (rest == 0.5f && (whole & 1))) ++whole;
    return sign | static_cast<uint16_t>(whole);
  }
  const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1);
  return sign | static_cast<uint16_t>((rounded - 0x38000000u) >> 13);
}

}  // namespace linnet
