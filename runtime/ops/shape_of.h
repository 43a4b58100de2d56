// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// The input's extents as numbers: [rank]. For extents that vary; the converter makes others
// constants. Input: any dtype, never read.
struct ShapeOfAttrs {
  using Table = schema::ShapeOfAttrs;
  DType dtype = DType::kInt32;  // or i64
  friend bool operator==(const ShapeOfAttrs&, const ShapeOfAttrs&) = default;
};

Status Decode(const schema::ShapeOfAttrs& table, ShapeOfAttrs* attrs);
flatbuffers::Offset<schema::ShapeOfAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const ShapeOfAttrs& attrs);

}  // namespace linnet
