// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace linnet::converter {

// CRC-32C (Castagnoli), as LevelDB's tables and TensorFlow's checkpoints use it. `crc` is the CRC
// of the bytes that come before.
uint32_t Crc32c(std::span<const std::byte> bytes, uint32_t crc = 0);

// Files hold CRCs masked, since CRCs of bytes that contain CRCs detect less.
inline uint32_t UnmaskCrc(uint32_t masked) {
  const uint32_t rotated = masked - 0xa282ead8u;
  return (rotated >> 17) | (rotated << 15);
}

}  // namespace linnet::converter
