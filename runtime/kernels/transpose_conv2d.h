// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"
#include "runtime/kernels/gemm.h"

namespace linnet::kernels {

// Sizes of a transposed convolution, NHWC, filter OHWI. Strides, dilations and pads are those of
// the forward convolution, whose gradient this is.
struct TransposeConv2DShape {
  int64_t batch, in_h, in_w, in_channels;
  int64_t kernel_h, kernel_w, out_h, out_w, out_channels;
  int64_t stride_h, stride_w, dilation_h, dilation_w, pad_top, pad_left;

  int64_t taps() const { return SaturatingMul(kernel_h, kernel_w); }
};

// Floats of the filter as one set of panels (kernels/gemm.h) per tap.
int64_t PackedTransposeConv2DFloats(const TransposeConv2DShape& shape);
// filter [out_channels, kernel_h, kernel_w, in_channels].
void PackTransposeConv2D(const TransposeConv2DShape& shape, const float* filter, float* packed);

int64_t TransposeConv2DScratchBytes(const TransposeConv2DShape& shape, int threads);
// The most that TransposeConv2DScratchBytes can be for this shape and shapes with smaller extents.
int64_t TransposeConv2DScratchBound(const TransposeConv2DShape& shape, int threads);

// out [batch, out_h, out_w, out_channels]; bias may be null. Each output pixel sums the taps that
// reach it, so two threads never add to the same element. The filter is what PackTransposeConv2D
// packs, or has packed. `scratch` is aligned to 64 bytes.
void TransposeConv2D(const TransposeConv2DShape& shape, const float* in, const Filter& filter,
                     const float* bias, float min, float max, float* out, void* scratch,
                     const Parallel& parallel);

}  // namespace linnet::kernels
