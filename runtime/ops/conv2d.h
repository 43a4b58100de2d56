// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/winograd.h"
#include "runtime/ops/op_def.h"
#include "runtime/ops/output_range.h"

namespace linnet {

// out[n,y,x,o] = clamp(bias[o] + sum_{ky,kx,i} in[n, y*stride - pad_top + ky*dilation, ..., i] *
// filter[o,ky,kx,i]). Inputs: x NHWC f32; filter OHWI = [O, KH, KW, I/groups] f32; bias [O] f32,
// optional. Output [N, (H + pads - ((KH-1)*dilation+1)) / stride + 1, ..., O].
struct Conv2DAttrs {
  using Table = schema::Conv2DAttrs;
  int stride_h = 1, stride_w = 1;                                // >= 1
  int dilation_h = 1, dilation_w = 1;                            // >= 1
  int pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;  // >= 0, zeros
  int groups = 1;                                                // divides I and O
  bool same = false;  // the pads are 0 here, and those of TensorFlow's SAME (window.h) in each run
  // 0, or 2 or 4: a CPU may compute tiles of so many pixels on a side by Winograd's method, which
  // rounds otherwise (kernels/winograd_conv2d.h). The filter is then constant and has windows of
  // 3 x 3, strides and dilations are 1, and there is one group.
  int winograd = 0;
  // A CPU with instructions for it may multiply and add in binary16 (kernels/encoded_filter.h).
  bool halves = false;
  OutputRange range;
  friend bool operator==(const Conv2DAttrs&, const Conv2DAttrs&) = default;
};

// Whether Winograd's method can compute the windows of a filter of this shape.
inline bool HasWinogradWindow(const Conv2DAttrs& attrs, const Shape& filter) {
  return filter[1] == kWinogradKernel && filter[2] == kWinogradKernel && attrs.stride_h == 1 &&
         attrs.stride_w == 1 && attrs.dilation_h == 1 && attrs.dilation_w == 1 && attrs.groups == 1;
}

Status Decode(const schema::Conv2DAttrs& table, Conv2DAttrs* attrs);
flatbuffers::Offset<schema::Conv2DAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const Conv2DAttrs& attrs);

}  // namespace linnet
