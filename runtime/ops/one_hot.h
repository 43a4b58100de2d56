// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Inserts a dimension of extent `depth` at `axis` of indices. An element is on_value where its
// position along this dimension equals the index, else off_value.  Inputs: indices (i32, i64, u8),
// on_value, off_value (scalars of one dtype).
struct OneHotAttrs {
  using Table = schema::OneHotAttrs;
  int64_t depth = 0;  // >= 0
  int axis = 0;       // 0 <= axis <= rank(indices)
  friend bool operator==(const OneHotAttrs&, const OneHotAttrs&) = default;
};

Status Decode(const schema::OneHotAttrs& table, OneHotAttrs* attrs);
flatbuffers::Offset<schema::OneHotAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const OneHotAttrs& attrs);

}  // namespace linnet
