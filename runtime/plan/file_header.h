// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

inline constexpr char kPlanMagic[4] = {'L', 'N', 'N', 'T'};
inline constexpr uint16_t kSchemaMajor = 0;  // a newer major is refused
inline constexpr uint16_t kSchemaMinor = 2;  // every minor opens all earlier ones
// Structured steps inside each other.
inline constexpr int kMaxRegionDepth = 16;
// What a program may require (schema/README.md).
inline constexpr char kRegionsFeature[] = "regions";
// Every weight starts at a multiple of this and is followed by at least kWeightTail bytes of file.
inline constexpr int64_t kWeightAlignment = 64;
inline constexpr int64_t kWeightTail = 128;
// No space of a plan is larger: keeps every sum of sizes far from overflow.
inline constexpr int64_t kMaxSpaceBytes = int64_t{1} << 46;

// First 64 bytes of a .linnet file, little-endian. `hash` is XXH3-128 (canonical form) of the bytes from
// offset 64 to file_bytes.
struct FileHeader {
  char magic[4];
  uint16_t major, minor;
  uint64_t structure_offset, structure_bytes;  // one FlatBuffer, schema/plan.fbs
  uint64_t weights_offset, weights_bytes;
  uint64_t file_bytes;
  uint8_t hash[16];
};
static_assert(sizeof(FileHeader) == 64);

}  // namespace linnet
