// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Where the input is not zero. Input: any integer, bool or f32, rank 1 to 8. Outputs: the positions
// as rows of rank indices (i64), in the order of the elements, with as many rows as the input has
// elements, the unused ones zeros; how many there are (i32, scalar). NaN is not zero.
struct WhereAttrs {
  using Table = schema::WhereAttrs;
  friend bool operator==(const WhereAttrs&, const WhereAttrs&) = default;
};

Status Decode(const schema::WhereAttrs& table, WhereAttrs* attrs);
flatbuffers::Offset<schema::WhereAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                               const WhereAttrs& attrs);

}  // namespace linnet
