// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Over the last dimension: x / sqrt(max(sum(x^2), epsilon)), f32.
struct L2NormalizeAttrs {
  using Table = schema::L2NormalizeAttrs;
  float epsilon = 0.0f;  // >= 0
  friend bool operator==(const L2NormalizeAttrs&, const L2NormalizeAttrs&) = default;
};

Status Decode(const schema::L2NormalizeAttrs& table, L2NormalizeAttrs* attrs);
flatbuffers::Offset<schema::L2NormalizeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                     const L2NormalizeAttrs& attrs);

}  // namespace linnet
