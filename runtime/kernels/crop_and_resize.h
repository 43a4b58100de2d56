// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/parallel.h"

namespace linnet::kernels {

struct CropJob {
  bool nearest;  // else bilinear
  int64_t batch, in_h, in_w, channels, crop_h, crop_w, boxes;
  float extrapolation;
};

// images: NHWC; boxes: [boxes, 4] of y1, x1, y2, x2 as fractions of (size - 1); index: the image of
// each box -> out: [boxes, crop_h, crop_w, channels]. Uses the same float operations as TensorFlow,
// because their rounding decides which samples are outside. False, with nothing written, when an
// index is out of range.
bool CropAndResize(const CropJob& job, const float* images, const float* boxes,
                   const int32_t* index, float* out, const Parallel& parallel);

}  // namespace linnet::kernels
