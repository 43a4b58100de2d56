// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// The extents of the input, as a vector [rank]. Used only when extents vary; otherwise the
// converter makes it a constant. Input: any dtype; its elements are never read.
struct ShapeOfAttrs {
  using Table = schema::ShapeOfAttrs;
  DType dtype = DType::kInt32;  // or i64
  friend bool operator==(const ShapeOfAttrs&, const ShapeOfAttrs&) = default;
};

Status Decode(const schema::ShapeOfAttrs& table, ShapeOfAttrs* attrs);
flatbuffers::Offset<schema::ShapeOfAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const ShapeOfAttrs& attrs);

}  // namespace linnet
