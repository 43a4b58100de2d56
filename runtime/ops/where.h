// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// The positions of the elements that are not zero (NaN is not). Input: any integer, bool or f32,
// rank 1 to 8. Outputs: the positions in row-major order, as rows of one index per dimension (i64),
// with room for all elements and zeros after the last; their number (i32, scalar).
struct WhereAttrs {
  using Table = schema::WhereAttrs;
  friend bool operator==(const WhereAttrs&, const WhereAttrs&) = default;
};

Status Decode(const schema::WhereAttrs& table, WhereAttrs* attrs);
flatbuffers::Offset<schema::WhereAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                               const WhereAttrs& attrs);

}  // namespace linnet
