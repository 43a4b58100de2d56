// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Joins one or more inputs along `axis`.  Any dtype.
struct ConcatAttrs {
  using Table = schema::ConcatAttrs;
  int axis = 0;  // 0 <= axis < rank
  friend bool operator==(const ConcatAttrs&, const ConcatAttrs&) = default;
};

Status Decode(const schema::ConcatAttrs& table, ConcatAttrs* attrs);
flatbuffers::Offset<schema::ConcatAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const ConcatAttrs& attrs);

}  // namespace linnet
