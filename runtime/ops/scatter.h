// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// A copy of input 0 whose rows at the positions of input 1 are replaced by, or combined with, those
// of input 2, one after the other: the last Update of a row wins. The last dimension of indices
// (i32, i64) names a position in the leading dimensions of input 0; updates have the shape
// indices.shape[:-1] + shape[depth:]. Update takes any dtype, the other kinds f32, i32, i64. Out of
// range when running: kBadIndex, or ignored where negative and `skip_negative`.
struct ScatterAttrs {
  using Table = schema::ScatterAttrs;
  schema::ScatterKind kind = schema::ScatterKind::Invalid;
  bool skip_negative = false;
  friend bool operator==(const ScatterAttrs&, const ScatterAttrs&) = default;
};

Status Decode(const schema::ScatterAttrs& table, ScatterAttrs* attrs);
flatbuffers::Offset<schema::ScatterAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const ScatterAttrs& attrs);

}  // namespace linnet
