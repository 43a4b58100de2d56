// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// For each box (f32 [n, 4]: y1, x1, y2, x2, where 0 and 1 are the first and last pixel) a crop of
// the picture box_index[n] (i32) of images (f32 NHWC), resized to crop_h x crop_w with corners
// aligned; a box may be flipped. Samples outside the picture are `extrapolation`. An index of no
// picture when running: kBadIndex.
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
