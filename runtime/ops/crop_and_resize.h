// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// For each box (f32 [n, 4]: y1, x1, y2, x2, where 0 and 1 are the first and last pixel), crops
// image box_index[n] (i32) of the images (f32 NHWC) and resizes the crop to crop_h x crop_w with
// aligned corners. A box may be flipped. Samples outside the image are `extrapolation`. An index
// out of range makes a run fail with kBadIndex.
struct CropAndResizeAttrs {
  using Table = schema::CropAndResizeAttrs;
  schema::ResizeMode mode = schema::ResizeMode::Bilinear;  // or Nearest
  int crop_h = 0;                                          // >= 1
  int crop_w = 0;
  float extrapolation = 0.0f;
  friend bool operator==(const CropAndResizeAttrs&, const CropAndResizeAttrs&) = default;
};

Status Decode(const schema::CropAndResizeAttrs& table, CropAndResizeAttrs* attrs);
flatbuffers::Offset<schema::CropAndResizeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                       const CropAndResizeAttrs& attrs);

}  // namespace linnet
