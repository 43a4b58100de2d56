// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// The same elements with another shape. Any dtype.
struct ReshapeAttrs {
  using Table = schema::ReshapeAttrs;
  Shape shape;  // no -1; extent slot i: shape[i]
  friend bool operator==(const ReshapeAttrs&, const ReshapeAttrs&) = default;
};

Status Decode(const schema::ReshapeAttrs& table, ReshapeAttrs* attrs);
flatbuffers::Offset<schema::ReshapeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const ReshapeAttrs& attrs);

}  // namespace linnet
