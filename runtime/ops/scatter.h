// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// A copy of input 0 in which the rows at the positions in input 1 (indices) are replaced by, or
// combined with, the rows of input 2 (updates), in order: the last Update of a row wins. The last
// dimension of indices (i32, i64) is a position in the leading dimensions of input 0; updates have
// the shape indices.shape[:-1] + shape[depth:]. Update takes any dtype, the other kinds f32, i32,
// i64. An index out of range makes a run fail with kBadIndex; with `skip_negative`, rows with a
// negative index are ignored instead.
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
