// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// numpy broadcasting of the input to `shape`.  Any dtype.
struct BroadcastToAttrs {
  using Table = schema::BroadcastToAttrs;
  Shape shape;  // extent slot i: shape[i]
  friend bool operator==(const BroadcastToAttrs&, const BroadcastToAttrs&) = default;
};

Status Decode(const schema::BroadcastToAttrs& table, BroadcastToAttrs* attrs);
flatbuffers::Offset<schema::BroadcastToAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                     const BroadcastToAttrs& attrs);

}  // namespace linnet
