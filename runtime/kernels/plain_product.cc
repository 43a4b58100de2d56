// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/plain_product.h"

namespace linnet::kernels {
namespace {

// For processors without vectors: 4 x 4 sums, a row and a column fit into 32 registers.
constexpr int kTileRows = 4, kTileCols = 4;

// Microcontrollers have no vectors, but an instruction for this.
inline float MulAdd(float a, float b, float c) {
#if defined(__ARM_FEATURE_FMA) && __ARM_ARCH_PROFILE == 'M'
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}

// Where weights lie that are read as the plan has them: in rows, or in panels.
struct Place {
  Place(const GemmBlock& g, int64_t col)
      : data(g.plain.data),
        column(static_cast<ptrdiff_t>(g.plain.col_stride)),
        row(static_cast<ptrdiff_t>(g.plain.depth_stride)),
        first(static_cast<ptrdiff_t>(col * column)) {
    if (g.panels == nullptr) return;
    const int64_t panel = col / kPanelCols * kPanelCols;
    data = g.panels;
    column = 1;
    row = static_cast<ptrdiff_t>(PanelWidth(g.cols - panel));
    first = static_cast<ptrdiff_t>(panel * g.taps * g.depth + col - panel);
  }
  // The weights of one tap, for column 0 of the block.
  const float* Tap(const GemmBlock& g, int64_t tap) const {
    if (g.tap_panels != nullptr) return g.tap_panels[tap] + g.tap_offset;
    return data + tap * g.depth * row;
  }

  const float* data;
  ptrdiff_t column, row;  // from one to the next, inside of a panel
  ptrdiff_t first;        // from column 0 to `col`
};

// `cols` <= kTileCols columns. The others repeat the last column, and are not stored.
template <int kRows>
void Tile(const GemmBlock& g, int64_t row, int64_t col, int cols) {
  const Place place(g, col);
  float sums[kRows][kTileCols];
  ptrdiff_t at[kTileCols];  // of the tile's columns
#pragma GCC unroll 4
  for (int n = 0; n < kTileCols; ++n) {
    const int from = n < cols ? n : cols - 1;
    at[n] = place.first + from * place.column;
    const float bias = g.bias == nullptr ? 0 : g.bias[col + from];
#pragma GCC unroll 4
    for (int m = 0; m < kRows; ++m) sums[m][n] = bias;
  }
  for (int64_t t = 0; t < g.taps; ++t) {
    const float* const tap = place.Tap(g, t);
    const float* b[kTileCols];
    const float* a[kRows];
#pragma GCC unroll 4
    for (int n = 0; n < kTileCols; ++n) b[n] = tap + at[n];
#pragma GCC unroll 4
    for (int m = 0; m < kRows; ++m) a[m] = g.a[t * g.rows + row + m];
    for (auto k = static_cast<ptrdiff_t>(g.depth); k > 0; --k) {
      float of_b[kTileCols];
#pragma GCC unroll 4
      for (int n = 0; n < kTileCols; ++n) {
        of_b[n] = *b[n];
        b[n] += place.row;
      }
#pragma GCC unroll 4
      for (int m = 0; m < kRows; ++m) {
        const float of_a = *a[m]++;
#pragma GCC unroll 4
        for (int n = 0; n < kTileCols; ++n) sums[m][n] = MulAdd(of_a, of_b[n], sums[m][n]);
      }
    }
  }
  for (int m = 0; m < kRows; ++m) {
    float* out = g.out[row + m] + col;
    for (int n = 0; n < cols; ++n) {
      const float sum = sums[m][n] < g.min ? g.min : sums[m][n];
      out[n] = sum > g.max ? g.max : sum;
    }
  }
}

}  // namespace

void PlainProduct(const GemmBlock& g) {
  // All rows for a few columns, whose weights then come from the cache.
  for (int64_t col = 0; col < g.cols; col += kTileCols) {
    const int cols = static_cast<int>(std::min<int64_t>(g.cols - col, kTileCols));
    int64_t row = 0;
    for (; row + kTileRows <= g.rows; row += kTileRows) Tile<kTileRows>(g, row, col, cols);
    for (; row < g.rows; ++row) Tile<1>(g, row, col, cols);
  }
}

}  // namespace linnet::kernels
