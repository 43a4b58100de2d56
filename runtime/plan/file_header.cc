// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/file_header.h"

#include <cstring>

#include "flatbuffers/base.h"
#include "runtime/core/checked.h"

namespace linnet {

FileHeader LayOutFile(int64_t structure_bytes, int64_t weights_bytes, int64_t weights_alignment) {
  FileHeader header{};
  std::memcpy(header.magic, kPlanMagic, sizeof(header.magic));
  header.major = kSchemaMajor;
  header.minor = kSchemaMinor;
  header.structure_offset = sizeof(FileHeader);
  header.structure_bytes = static_cast<uint64_t>(structure_bytes);
  header.weights_offset = static_cast<uint64_t>(
      AlignUp(static_cast<int64_t>(sizeof(FileHeader)) + structure_bytes, weights_alignment));
  header.weights_bytes = static_cast<uint64_t>(weights_bytes);
  header.file_bytes = header.weights_offset + header.weights_bytes;
  return header;
}

Status CheckHeader(const FileHeader& header, int64_t file_bytes, Diagnostic* diagnostic) {
  if (std::memcmp(header.magic, kPlanMagic, sizeof(kPlanMagic)) != 0)
    return {StatusCode::kInvalidPlan, "not a Linnet plan: it does not begin with LNNT"};
  if (header.major > kSchemaMajor) {
    if (diagnostic != nullptr)
      diagnostic->Format("the plan has schema version %d.%d, this library reads up to %d.%d",
                         header.major, header.minor, kSchemaMajor, kSchemaMinor);
    return {StatusCode::kVersion, "the plan was written by a newer converter"};
  }
  const auto size = static_cast<uint64_t>(file_bytes);
  if (header.file_bytes != size) {
    if (diagnostic != nullptr)
      diagnostic->Format("the plan has %lld bytes but its header says %llu: truncated?",
                         static_cast<long long>(file_bytes),
                         static_cast<unsigned long long>(header.file_bytes));
    return {StatusCode::kInvalidPlan, "size of the file and its header differ"};
  }
  if (!Inside(header.structure_offset, header.structure_bytes, size) ||
      !Inside(header.weights_offset, header.weights_bytes, size) ||
      header.structure_offset < sizeof(FileHeader) ||
      header.weights_offset % kWeightAlignment != 0 ||
      header.structure_bytes > FLATBUFFERS_MAX_BUFFER_SIZE)
    return {StatusCode::kInvalidPlan, "the header names bytes outside the file"};
  // FlatBuffers are padded to whole offsets, so this also finds files that were cut off in the
  // padding.
  if (header.structure_bytes % sizeof(flatbuffers::uoffset_t) != 0)
    return {StatusCode::kInvalidPlan,
            "the structure ends early: its size is not a whole number of offsets"};
  return {};
}

}  // namespace linnet
