// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"
#include "runtime/ops/output_range.h"

namespace linnet {

// Gradient of Conv2D with respect to its input (TensorFlow's Conv2DBackpropInput):
// out[n, y*stride + ky*dilation - pad_top, ..., o] += in[n,y,x,i] * filter[o,ky,kx,i]; then bias
// and clamp. Inputs: x NHWC f32; filter OHWI = [O, KH, KW, I] f32; bias [O] f32, optional.  Pads
// are those of the forward convolution, so in_h = (output_h + pads - ((KH-1)*dilation+1)) / stride
// + 1 must hold.
struct TransposeConv2DAttrs {
  using Table = schema::TransposeConv2DAttrs;
  int stride_h = 1, stride_w = 1;                                // >= 1
  int dilation_h = 1, dilation_w = 1;                            // >= 1
  int pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;  // >= 0, zeros
  int output_h = 0, output_w = 0;                                // >= 0; extent slots 0 and 1
  OutputRange range;
  friend bool operator==(const TransposeConv2DAttrs&, const TransposeConv2DAttrs&) = default;
};

Status Decode(const schema::TransposeConv2DAttrs& table, TransposeConv2DAttrs* attrs);
flatbuffers::Offset<schema::TransposeConv2DAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                         const TransposeConv2DAttrs& attrs);

}  // namespace linnet
