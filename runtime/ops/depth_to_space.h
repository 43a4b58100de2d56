// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// NHWC [N,H,W,C] -> [N, H*block, W*block, C/block^2].  Any dtype.
struct DepthToSpaceAttrs {
  using Table = schema::DepthToSpaceAttrs;
  int block = 0;  // >= 1
  friend bool operator==(const DepthToSpaceAttrs&, const DepthToSpaceAttrs&) = default;
};

Status Decode(const schema::DepthToSpaceAttrs& table, DepthToSpaceAttrs* attrs);
flatbuffers::Offset<schema::DepthToSpaceAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                      const DepthToSpaceAttrs& attrs);

}  // namespace linnet
