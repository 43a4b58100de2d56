// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Over the last dimension: (x - mean) / sqrt(variance + epsilon) * gamma + beta.
// Inputs: x [..., C], gamma [C], beta [C], f32.
struct LayerNormAttrs {
  using Table = schema::LayerNormAttrs;
  float epsilon = 0.0f;  // >= 0
  friend bool operator==(const LayerNormAttrs&, const LayerNormAttrs&) = default;
};

Status Decode(const schema::LayerNormAttrs& table, LayerNormAttrs* attrs);
flatbuffers::Offset<schema::LayerNormAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                   const LayerNormAttrs& attrs);

}  // namespace linnet
