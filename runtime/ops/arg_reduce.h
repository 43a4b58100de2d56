// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Index of the largest (or smallest) element along `axis`, the first one on ties. The output does
// not have this axis. NaN is ignored. Input f32, integers or bool; the axis must not be empty.
struct ArgReduceAttrs {
  using Table = schema::ArgReduceAttrs;
  bool min = false;
  int axis = 0;                   // 0 <= axis < rank
  DType dtype = DType::kInvalid;  // of the output: i32 or i64
  friend bool operator==(const ArgReduceAttrs&, const ArgReduceAttrs&) = default;
};

Status Decode(const schema::ArgReduceAttrs& table, ArgReduceAttrs* attrs);
flatbuffers::Offset<schema::ArgReduceAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                   const ArgReduceAttrs& attrs);

}  // namespace linnet
