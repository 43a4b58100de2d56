// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Reverses the first lengths[b] elements along `sequence_axis` of each slice b of `batch_axis`, and
// copies the rest. lengths: i32 or i64, one per slice. A length that is negative or larger than the
// axis makes a run fail with kBadIndex.
struct ReverseSequenceAttrs {
  using Table = schema::ReverseSequenceAttrs;
  int sequence_axis = 0;
  int batch_axis = 1;  // not sequence_axis
  friend bool operator==(const ReverseSequenceAttrs&, const ReverseSequenceAttrs&) = default;
};

Status Decode(const schema::ReverseSequenceAttrs& table, ReverseSequenceAttrs* attrs);
flatbuffers::Offset<schema::ReverseSequenceAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                         const ReverseSequenceAttrs& attrs);

}  // namespace linnet
