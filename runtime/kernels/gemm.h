// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "runtime/core/checked.h"
#include "runtime/core/linked_weights.h"
#include "runtime/core/panels.h"
#include "runtime/core/parallel.h"
#include "runtime/kernels/encoded_filter.h"

namespace linnet::kernels {

// The float matrix product under Conv2D, TransposeConv2D, FullyConnected and BatchMatMul.
// Rows of the left operand are given by pointers, so that a convolution needs no im2col copy: a row
// consists of `taps` runs of `depth` floats each.

// The right operand [depth, cols] is packed in panels (core/panels.h).
using linnet::kHalfPanelCols;
using linnet::kPanelCols;
using linnet::NumPanels;
using linnet::PanelWidth;
constexpr int64_t PackedFloats(int64_t depth, int64_t cols) { return PanelElements(depth, cols); }

// Element (k, n) of a matrix in memory is data[k * depth_stride + n * col_stride].
struct MatrixView {
  const float* data;
  int64_t depth_stride;
  int64_t col_stride;
};

// Packs rows [0, depth) and columns [0, cols) of `matrix` into rows [packed_row, packed_row +
// depth) of panels that have `packed_depth` rows. Missing columns become zeros.
void PackPanels(const MatrixView& matrix, int64_t depth, int64_t cols, int64_t packed_depth,
                int64_t packed_row, float* panels);

// out[m][n] = clamp(bias[n] + sum over t, k of a[t * rows + m][k] * panels(t * depth + k, n)), the
// sum taken in this order for any tile, so that every split of rows and columns gives the same
// bits.
struct GemmBlock {
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t taps = 1;
  int64_t depth = 0;
  const float* const* a = nullptr;  // [taps][rows], each points to `depth` floats
  const float* panels = nullptr;
  // Instead of `panels`: [taps], each points to the panels of that tap, with `depth` rows.
  const float* const* tap_panels = nullptr;
  int64_t tap_offset = 0;  // floats from tap_panels[t] to the panel of column 0 of this block
  // `panels` from an element on; null when there are none.
  const float* PanelsFrom(int64_t offset) const {
    return panels == nullptr ? nullptr : panels + offset;
  }
  // Where col_stride is not 0, nothing is packed: row t * depth + k of the right operand is row
  // t * depth + k of this matrix, or with tap_panels row k of the matrix there.
  MatrixView plain = {nullptr, 0, 0};
  // Instead of `panels`: a filter as the plan has it, from this element on.
  const EncodedFilter* encoded = nullptr;
  int64_t encoded_offset = 0;
  const float* bias = nullptr;  // [cols], or null for zeros
  float* const* out = nullptr;  // [rows], each points to `cols` floats
  float min = 0;                // NaN stays NaN
  float max = 0;
};

// The weights of an op, as its kernel gets them.
struct Filter {
  const float* data;
  bool in_panels = true;                   // else in rows
  const EncodedFilter* encoded = nullptr;  // instead of `data`

  // The columns from `col` on, whose elements begin at `offset`, for sums of `depth` products.
  void PassTo(GemmBlock* block, int64_t offset, int64_t depth) const {
    if (kLinkedEncodedPanels && encoded != nullptr) {
      block->encoded = encoded;
      block->encoded_offset = offset;
    } else if (in_panels) {
      block->panels = data + offset;
    } else {
      block->plain = {data + offset, 1, depth};
    }
  }
};

// Divides much work into runs of columns and checks between them whether to stop.
void Gemm(const GemmBlock& block, const Parallel& parallel);

inline constexpr int64_t kGemmTileRows = 6;  // rows of the largest register tile

// Rows that one block should have, so that its part of the left operand stays in the L2 cache while
// the panels are read; `row_floats` is what a row adds to that part.
inline constexpr int64_t kGemmCacheFloats = int64_t{48} << 10;
inline constexpr int64_t kMinGemmBlockRows = 24;
// Eight tiles of AVX-512's 14 rows, and half an image of 14 x 14 in one block.
inline constexpr int64_t kMaxGemmBlockRows = 112;
constexpr int64_t GemmBlockRows(int64_t row_floats) {
  const int64_t rows = kGemmCacheFloats / std::max<int64_t>(row_floats, 1);
  return std::clamp(rows / kGemmTileRows * kGemmTileRows, kMinGemmBlockRows, kMaxGemmBlockRows);
}
// The most floats of such a block, also with shorter rows.
constexpr int64_t GemmBlockFloatsBound(int64_t row_floats) {
  const int64_t small = std::min(SaturatingMul(row_floats, kMaxGemmBlockRows), kGemmCacheFloats);
  return std::max(SaturatingMul(row_floats, kMinGemmBlockRows), small);
}

// Fills rows[0..count) with the addresses of rows that begin `step` elements apart.
void PointToRows(const float* first, int64_t step, int64_t count, const float** rows);
void PointToRows(float* first, int64_t step, int64_t count, float** rows);

}  // namespace linnet::kernels
