// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"

namespace linnet::kernels {

// Sizes of a pooling, NHWC. Every window must contain at least one element of the image.
struct Pool2DShape {
  int64_t batch, in_h, in_w, channels, out_h, out_w;
  int64_t window_h, window_w, stride_h, stride_w, pad_top, pad_left;
};

// Largest element of each window; propagates NaN. T: float, int8_t, uint8_t, int32_t or int64_t.
template <typename T>
void MaxPool2D(const Pool2DShape& shape, const T* in, T min, T max, T* out,
               const Parallel& parallel);

// Mean of the elements of each window that are inside the image.
void AveragePool2D(const Pool2DShape& shape, const float* in, float min, float max, float* out,
                   const Parallel& parallel);

// Neighbouring windows of one output row, all of one size: for the code per instruction set. A
// window with much work comes in several calls, of which each but the last has limits and a divisor
// that change nothing.
template <typename T>
struct PoolWindows {
  const T* in;  // the first element of the first window
  T* out;
  bool begun;                                // the results so far are in `out`
  int64_t windows, rows, columns, channels;  // each at least 1
  int64_t window_step;                       // elements of `in` from one window to the next
  int64_t row_step, pixel_step;              // from one row, and from one pixel to the next
  T divisor;                                 // of a mean
  T min, max;
};

}  // namespace linnet::kernels
