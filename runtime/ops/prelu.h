// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// out = x >= 0 ? x : alpha * x, f32.  alpha broadcasts to x's shape (often [C]).
struct PreluAttrs {
  using Table = schema::PreluAttrs;
  friend bool operator==(const PreluAttrs&, const PreluAttrs&) = default;
};

Status Decode(const schema::PreluAttrs& table, PreluAttrs* attrs);
flatbuffers::Offset<schema::PreluAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                               const PreluAttrs& attrs);

}  // namespace linnet
