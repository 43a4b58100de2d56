// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/diagnostic.h"
#include "runtime/core/status.h"

namespace linnet {

inline constexpr char kPlanMagic[4] = {'L', 'N', 'N', 'T'};
inline constexpr uint16_t kSchemaMajor = 0;   // a newer major is refused
inline constexpr uint16_t kSchemaMinor = 10;  // every minor opens all earlier ones
// The most nested While and If steps.
inline constexpr int kMaxRegionDepth = 16;
// Features that a program may require (schema/README.md).
inline constexpr char kRegionsFeature[] = "regions";
inline constexpr char kSegmentsFeature[] = "segments";
inline constexpr char kLayoutsFeature[] = "layouts";
inline constexpr char kHalfFeature[] = "half";
inline constexpr char kMarginsFeature[] = "margins";
inline constexpr char kStripsFeature[] = "strips";
// Names of variants; "" is the host's, too.
inline constexpr char kHostVariant[] = "host";
inline constexpr char kVulkanVariant[] = "vulkan";
// The most spaces of one program, the host's included.
inline constexpr int64_t kMaxSpaces = 4;
// Every weight starts at a multiple of this and is followed by at least kWeightTail bytes of file.
inline constexpr int64_t kWeightAlignment = 64;
inline constexpr int64_t kWeightTail = 128;
// The largest space of a plan. Keeps every sum of sizes far from overflow.
inline constexpr int64_t kMaxSpaceBytes = int64_t{1} << 46;

// First 64 bytes of a .linnet file, little-endian. `hash` is XXH3-128 (canonical form) of the bytes
// from offset 64 to file_bytes.
struct FileHeader {
  char magic[4];
  uint16_t major, minor;
  uint64_t structure_offset, structure_bytes;  // one FlatBuffer, schema/plan.fbs
  uint64_t weights_offset, weights_bytes;
  uint64_t file_bytes;
  uint8_t hash[16];
};
static_assert(sizeof(FileHeader) == 64);

// The header of a file with the structure right after the header, then the weights at the next
// multiple of `weights_alignment`. Does not compute the hash.
FileHeader LayOutFile(int64_t structure_bytes, int64_t weights_bytes, int64_t weights_alignment);

// True when [offset, offset + bytes) is inside [0, limit).
inline bool Inside(uint64_t offset, uint64_t bytes, uint64_t limit) {
  return offset <= limit && bytes <= limit - offset;
}

// Checks the header against the size of the file. kInvalidPlan, kVersion.
Status CheckHeader(const FileHeader& header, int64_t file_bytes, Diagnostic* diagnostic);

}  // namespace linnet
