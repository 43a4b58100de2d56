// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// NHWC.  Nearest: any dtype; bilinear: f32, or integers up to 32 bits giving f32; bicubic: f32.
// Sampling conventions are TensorFlow's: Legacy (x * scale), AlignCorners, HalfPixel ((x + 0.5) *
// scale - 0.5).
struct ResizeAttrs {
  using Table = schema::ResizeAttrs;
  schema::ResizeMode mode = schema::ResizeMode::Nearest;
  schema::Sampling sampling = schema::Sampling::Legacy;
  int output_h = 0, output_w = 0;  // >= 1; extent slots 0 and 1
  friend bool operator==(const ResizeAttrs&, const ResizeAttrs&) = default;
};

Status Decode(const schema::ResizeAttrs& table, ResizeAttrs* attrs);
flatbuffers::Offset<schema::ResizeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const ResizeAttrs& attrs);

}  // namespace linnet
