// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"

namespace linnet::kernels {

// Sizes of a depthwise convolution, NHWC. Output channel c * multiplier + m reads input channel c.
struct DepthwiseConv2DShape {
  int64_t batch, in_h, in_w, channels, multiplier;
  int64_t kernel_h, kernel_w, out_h, out_w;
  int64_t stride_h, stride_w, dilation_h, dilation_w, pad_top, pad_left;
};

// in [batch, in_h, in_w, channels], filter [kernel_h, kernel_w, channels * multiplier], bias
// [channels * multiplier] or null, out [batch, out_h, out_w, channels * multiplier].
void DepthwiseConv2D(const DepthwiseConv2DShape& shape, const float* in, const float* filter,
                     const float* bias, float min, float max, float* out, const Parallel& parallel);

// Some channels of one output row with multiplier 1, or of two where all of their windows' rows are
// inside the image, for the code per instruction set.
struct DepthwiseRow {
  const float* in;  // the first of the channels, at the beginning of the image
  const float* filter;
  const float* bias;
  float* out;
  int64_t channels, in_w, out_w, kernel_h, kernel_w;
  int64_t pitch;  // floats from pixel to pixel, and from weight to weight
  int64_t stride_w, dilation_w, pad_left;
  int64_t first_row;  // floats from `in` to the row under kernel row 0, which may be outside
  int64_t row_step;   // floats from one kernel row to the next
  int64_t first_ky, last_ky;  // kernel rows inside the image: [first_ky, last_ky)
  int64_t rows;  // output rows: 1, or 2 of which both have kernel rows inside the image
  int64_t in_step, out_step;            // floats from the first output row to the second
  int64_t next_first_ky, next_last_ky;  // kernel rows of the second
  float min, max;
};

}  // namespace linnet::kernels
