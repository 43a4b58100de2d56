// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"
#include "runtime/ops/output_range.h"

namespace linnet {

// out = min(max(x, range.min), range.max), f32.  Relu is [0, inf], Relu6 is [0, 6].  NaN stays NaN.
struct ClampAttrs {
  using Table = schema::ClampAttrs;
  OutputRange range;
  friend bool operator==(const ClampAttrs&, const ClampAttrs&) = default;
};

Status Decode(const schema::ClampAttrs& table, ClampAttrs* attrs);
flatbuffers::Offset<schema::ClampAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                               const ClampAttrs& attrs);

}  // namespace linnet
