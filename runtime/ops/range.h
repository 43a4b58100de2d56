// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// start, start + delta, ... below (or above) limit.  Inputs: start, limit, delta: constant scalars
// of one dtype (f32, i32, i64); their values determine the output's extent.
struct RangeAttrs {
  using Table = schema::RangeAttrs;
  friend bool operator==(const RangeAttrs&, const RangeAttrs&) = default;
};

Status Decode(const schema::RangeAttrs& table, RangeAttrs* attrs);
flatbuffers::Offset<schema::RangeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                               const RangeAttrs& attrs);

}  // namespace linnet
