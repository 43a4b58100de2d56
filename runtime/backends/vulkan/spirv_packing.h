// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

// SPIR-V takes a quarter of its size in this form, which toolchains/pack_spirv.py writes:
//   varint  the number of words of the module
//   u32     checksum: FNV-1a over the words, each taken at once
//   then for each instruction
//     u8      its row in spirv_ops.def; 0x80 is set when its number of operands is not the row's
//     varint  the number of operands, in this case
//     varint  each operand but the result: numbers and ids of types as they are, other ids as the
//     distance
//             back from the last id that was defined before this instruction, zigzag coded
// Ids are numbered in the order of their definitions, so results are not stored. A varint is seven
// bits per byte, the low ones first, with 0x80 in all bytes but the last. All modules have the same
// header but for the number of ids.
namespace linnet::vulkan {

inline constexpr uint32_t kMaxSpirvWords = 1 << 16;

// Words of the packed module; 0 when `packed` is damaged.
uint32_t NumSpirvWords(std::span<const uint8_t> packed);
// Whether `packed` is sound and `words`, which must be NumSpirvWords(packed), are what was packed.
bool UnpackSpirv(std::span<const uint8_t> packed, std::span<uint32_t> words);

}  // namespace linnet::vulkan
