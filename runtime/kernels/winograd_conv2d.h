// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"
#include "runtime/core/winograd.h"
#include "runtime/kernels/conv2d.h"

// Convolutions by Winograd's method (core/winograd.h). Results differ from those of conv2d.h by
// rounding: by 1e-5 of the largest sum that a tile's windows could give with n = 4, less with n
// = 2. Values that are not finite, or beyond 1e37, spread over a tile.
namespace linnet::kernels {

// In all functions windows are 3 x 3, strides and dilations 1, and there is one group; `outputs` is
// n: 2 or 4.

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

// The functions above, by a pointer: only programs whose plans use the method contain them.
struct WinogradFunctions {
  int64_t (*packed_floats)(const Conv2DShape& shape, int outputs);
  void (*pack)(const Conv2DShape& shape, int outputs, const float* filter, float* packed);
  int64_t (*scratch_bytes)(const Conv2DShape& shape, int outputs, int threads);
  void (*run)(const Conv2DShape& shape, int outputs, const float* in, const float* packed,
              const float* bias, float min, float max, float* out, void* scratch,
              const Parallel& parallel);
};
extern const WinogradFunctions kWinogradFunctions;

// &kWinogradFunctions, or null where the sums of all windows are computed instead. A program may
// define it itself (runtime/ops/linked_ops.h).
extern const WinogradFunctions* const kLinkedWinograd;

// The transforms of one tile, and of a filter, for the code per instruction set.
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
struct WinogradFilter {
  int outputs;
  int64_t windows;    // a multiple of kHalfPanelCols (core/panels.h)
  const float* taps;  // tap t of window n is taps[t * tap_step + n]
  int64_t tap_step;
  float* values;        // of the first matrix, for each window
  int64_t matrix_step;  // floats from matrix to matrix
};

}  // namespace linnet::kernels
