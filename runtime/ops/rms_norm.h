// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Over the last dimension: x / sqrt(mean of x^2 + epsilon) * gamma (Zhang and Sennrich 2019).
// Inputs: x [..., C], gamma [C], f32.
struct RmsNormAttrs {
  using Table = schema::RmsNormAttrs;
  float epsilon = 0.0f;  // >= 0
  friend bool operator==(const RmsNormAttrs&, const RmsNormAttrs&) = default;
};

Status Decode(const schema::RmsNormAttrs& table, RmsNormAttrs* attrs);
flatbuffers::Offset<schema::RmsNormAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const RmsNormAttrs& attrs);

}  // namespace linnet
