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

}  // namespace linnet::kernels
