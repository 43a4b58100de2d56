// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// The distinct rows of the input (slices along dimension 0), in order of their first occurrence.
// Input: any integer, bool or f32, rank 1 to 8. Outputs: the distinct rows, with room for all rows
// of the input and zeros after the last; for each row of the input its index among the distinct
// rows (i32); how often each distinct row occurs (i32), zeros after the last; the number of
// distinct rows (i32, scalar). Floats are compared as numbers: 0 equals -0, and a row with NaN
// equals no row.
struct UniqueAttrs {
  using Table = schema::UniqueAttrs;
  friend bool operator==(const UniqueAttrs&, const UniqueAttrs&) = default;
};

Status Decode(const schema::UniqueAttrs& table, UniqueAttrs* attrs);
flatbuffers::Offset<schema::UniqueAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const UniqueAttrs& attrs);

}  // namespace linnet
