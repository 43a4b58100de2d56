// SPDX-License-Identifier: Apache-2.0
#include "converter/import/checkpoint/crc32c.h"

#include <array>

namespace linnet::converter {
namespace {

// kTables[k][b]: what byte b does to the CRC once k more bytes have followed it.
using Tables = std::array<std::array<uint32_t, 256>, 8>;

constexpr Tables MakeTables() {
  constexpr uint32_t kPolynomial = 0x82f63b78u;  // Castagnoli, bits reversed
  Tables tables{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][b] = crc;
  }
  for (size_t k = 1; k < tables.size(); ++k)
    for (size_t b = 0; b < 256; ++b)
      tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xff];
  return tables;
}

constexpr Tables kTables = MakeTables();

uint32_t Byte(std::span<const std::byte> bytes, size_t i) {
  return static_cast<uint32_t>(bytes[i]);
}

}  // namespace

uint32_t Crc32c(std::span<const std::byte> bytes, uint32_t crc) {
  crc = ~crc;
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {  // eight bytes at a time, as checkpoints are large
    const uint32_t low = crc ^ (Byte(bytes, i) | Byte(bytes, i + 1) << 8 |
                                Byte(bytes, i + 2) << 16 | Byte(bytes, i + 3) << 24);
    crc = kTables[7][low & 0xff] ^ kTables[6][(low >> 8) & 0xff] ^ kTables[5][(low >> 16) & 0xff] ^
          kTables[4][low >> 24] ^ kTables[3][Byte(bytes, i + 4)] ^ kTables[2][Byte(bytes, i + 5)] ^
          kTables[1][Byte(bytes, i + 6)] ^ kTables[0][Byte(bytes, i + 7)];
  }
  for (; i < bytes.size(); ++i) crc = (crc >> 8) ^ kTables[0][(crc ^ Byte(bytes, i)) & 0xff];
  return ~crc;
}

}  // namespace linnet::converter
