// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"
#include "runtime/core/winograd.h"
#include "runtime/kernels/conv2d.h"

// Convolutions with windows of 3 x 3 side by side by Winograd's method: the output is made in tiles
// of n x n pixels, each from (n + 2) x (n + 2) pixels of the input. Transforms of a tile's input
// and of the filter give (n + 2)^2 values per channel; each of these, over all tiles and channels,
// is a matrix, and the sums over the channels are products of such matrices. Another transform
// turns the products of a tile into its pixels. So (n + 2)^2 multiplications make n^2 pixels,
// instead of 9 n^2; results differ from those of conv2d.h by rounding: by 1e-5 of the largest
// magnitude with n = 4, less with n = 2.
namespace linnet::kernels {

// Whether a convolution has such windows: 3 x 3, strides and dilations 1, one group.
constexpr bool HasWinogradWindow(const Conv2DShape& s) {
  return s.kernel_h == 3 && s.kernel_w == 3 && s.stride_h == 1 && s.stride_w == 1 &&
         s.dilation_h == 1 && s.dilation_w == 1 && s.groups == 1;
}

// In all functions `outputs` is n: 2 or 4.

// Floats of the transformed filter, in panels (kernels/gemm.h).
int64_t PackedWinogradFloats(const Conv2DShape& shape, int outputs);
// filter [out_channels, 3, 3, in_channels].
void PackWinograd(const Conv2DShape& shape, int outputs, const float* filter, float* packed);

// Bytes of scratch that WinogradConv2D needs with `threads` threads; no more for smaller extents.
int64_t WinogradScratchBytes(const Conv2DShape& shape, int outputs, int threads);

// As Conv2D (conv2d.h), from a filter of PackWinograd.
void WinogradConv2D(const Conv2DShape& shape, int outputs, const float* in, const float* packed,
                    const float* bias, float min, float max, float* out, void* scratch,
                    const Parallel& parallel);

// The transforms of one tile, for the code per instruction set.
struct WinogradIn {
  int outputs;
  int64_t channels;
  const float* const* pixels;  // [side][side], of the tile
  float* values;               // of the first matrix
  int64_t matrix_step;         // floats from matrix to matrix
};
struct WinogradOut {
  int outputs;
  int64_t channels;
  const float* products;  // of the first matrix
  int64_t matrix_step;
  const float* bias;             // null for zeros
  float* out;                    // the tile's first pixel
  int64_t row_step, pixel_step;  // floats
  int64_t rows, columns;         // of the tile's pixels, those that are inside the picture
  float min, max;
};

}  // namespace linnet::kernels
