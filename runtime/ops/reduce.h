// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Reduction over `axes`.  Sum, Mean, Prod, Max, Min: f32, i32, i64 (Mean of integers truncates);
// Max and Min also u8, i8; All, Any: bool.  An empty reduction gives the neutral element (Mean:
// NaN). Max and Min propagate NaN.
struct ReduceAttrs {
  using Table = schema::ReduceAttrs;
  schema::ReduceKind kind = schema::ReduceKind::Invalid;
  Shape axes;  // 0 <= axis < rank, strictly increasing; may be empty (copy)
  bool keep_dims = false;
  friend bool operator==(const ReduceAttrs&, const ReduceAttrs&) = default;
};

Status Decode(const schema::ReduceAttrs& table, ReduceAttrs* attrs);
flatbuffers::Offset<schema::ReduceAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const ReduceAttrs& attrs);

}  // namespace linnet
