// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"
#include "runtime/ops/output_range.h"

namespace linnet {

// Each input channel c makes M output channels c*M..c*M+M-1 with filters of its own.
// Inputs: x NHWC f32; filter HWC = [KH, KW, C*M] f32; bias [C*M] f32, optional.
struct DepthwiseConv2DAttrs {
  using Table = schema::DepthwiseConv2DAttrs;
  int stride_h = 1, stride_w = 1;                                // >= 1
  int dilation_h = 1, dilation_w = 1;                            // >= 1
  int pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;  // >= 0, zeros
  bool same = false;  // the pads are 0 here, and those of TensorFlow's SAME (window.h) in each run
  OutputRange range;
  friend bool operator==(const DepthwiseConv2DAttrs&, const DepthwiseConv2DAttrs&) = default;
};

Status Decode(const schema::DepthwiseConv2DAttrs& table, DepthwiseConv2DAttrs* attrs);
flatbuffers::Offset<schema::DepthwiseConv2DAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                         const DepthwiseConv2DAttrs& attrs);

}  // namespace linnet
