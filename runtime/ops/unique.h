// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// The rows of the input (its slices along dimension 0) without repetitions, in the order in which
// they appear first. Input: any integer, bool or f32, rank 1 to 8. Outputs: those rows, as many as
// the input has, the unused ones zeros; for each row of the input which of them it is (i32); how
// often each occurs (i32), the unused ones 0; how many there are (i32, scalar). Floats are compared
// as numbers: 0 is -0, and a row with a NaN equals none.
struct UniqueAttrs {
  using Table = schema::UniqueAttrs;
  friend bool operator==(const UniqueAttrs&, const UniqueAttrs&) = default;
};

Status Decode(const schema::UniqueAttrs& table, UniqueAttrs* attrs);
flatbuffers::Offset<schema::UniqueAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const UniqueAttrs& attrs);

}  // namespace linnet
