// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"
#include "runtime/kernels/gemm.h"

namespace linnet::kernels {

// Sizes of a convolution, NHWC, filter OHWI. in_channels and out_channels are multiples of groups.
struct Conv2DShape {
  int64_t batch, in_h, in_w, in_channels;
  int64_t kernel_h, kernel_w, out_h, out_w, out_channels;
  int64_t stride_h, stride_w, dilation_h, dilation_w, pad_top, pad_left;
  int64_t groups;

  int64_t group_in() const { return in_channels / groups; }
  int64_t group_out() const { return out_channels / groups; }
  int64_t taps() const { return SaturatingMul(kernel_h, kernel_w); }
  int64_t depth() const { return SaturatingMul(taps(), group_in()); }  // length of each sum
  int64_t rows() const { return batch * out_h * out_w; }
};

// Floats of the filter in panels (kernels/gemm.h), one group after another.
int64_t PackedConv2DFloats(const Conv2DShape& shape);
// filter [out_channels, kernel_h, kernel_w, in_channels / groups].
void PackConv2D(const Conv2DShape& shape, const float* filter, float* packed);

// Bytes of scratch that Conv2D needs with `threads` threads.
int64_t Conv2DScratchBytes(const Conv2DShape& shape, int threads);
// The most that Conv2DScratchBytes can be for this shape and for shapes with smaller extents. (A
// smaller filter can need more, because a block then has more rows.)
int64_t Conv2DScratchBound(const Conv2DShape& shape, int threads);

// out [batch, out_h, out_w, out_channels] = clamp(bias + convolution); bias may be null. The filter
// is what PackConv2D packs, or has packed. `scratch` is aligned to 64 bytes. Border pixels read
// zeros.
void Conv2D(const Conv2DShape& shape, const float* in, const Filter& filter, const float* bias,
            float min, float max, float* out, void* scratch, const Parallel& parallel);

}  // namespace linnet::kernels
