// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Over the last dimension, f32, rank >= 1: exp(x) / sum(exp(x)); log: x - max - ln sum(exp(x -
// max)).
struct SoftmaxAttrs {
  using Table = schema::SoftmaxAttrs;
  bool log = false;
  friend bool operator==(const SoftmaxAttrs&, const SoftmaxAttrs&) = default;
};

Status Decode(const schema::SoftmaxAttrs& table, SoftmaxAttrs* attrs);
flatbuffers::Offset<schema::SoftmaxAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const SoftmaxAttrs& attrs);

}  // namespace linnet
