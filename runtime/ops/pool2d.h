// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"
#include "runtime/ops/output_range.h"

namespace linnet {

// Maximum or average over windows of NHWC images. Padding is ignored: averages divide by the number
// of elements inside the image. Max: f32, i32, i64, u8, i8; average: f32.
struct Pool2DAttrs {
  using Table = schema::Pool2DAttrs;
  schema::PoolKind kind = schema::PoolKind::Invalid;
  int window_h = 0, window_w = 0;                                // >= 1
  int stride_h = 1, stride_w = 1;                                // >= 1
  int pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;  // >= 0, < window
  bool same = false;  // the pads are 0 here, and those of TensorFlow's SAME (window.h) in each run
  OutputRange range;  // f32 only
  friend bool operator==(const Pool2DAttrs&, const Pool2DAttrs&) = default;
};

Status Decode(const schema::Pool2DAttrs& table, Pool2DAttrs* attrs);
flatbuffers::Offset<schema::Pool2DAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const Pool2DAttrs& attrs);

}  // namespace linnet
