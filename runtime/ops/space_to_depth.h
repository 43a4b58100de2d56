// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// NHWC [N,H,W,C] -> [N, H/block, W/block, C*block^2].  Any dtype.
struct SpaceToDepthAttrs {
  using Table = schema::SpaceToDepthAttrs;
  int block = 0;  // >= 1
  friend bool operator==(const SpaceToDepthAttrs&, const SpaceToDepthAttrs&) = default;
};

Status Decode(const schema::SpaceToDepthAttrs& table, SpaceToDepthAttrs* attrs);
flatbuffers::Offset<schema::SpaceToDepthAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                      const SpaceToDepthAttrs& attrs);

}  // namespace linnet
