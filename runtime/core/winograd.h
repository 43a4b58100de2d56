// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

// Winograd's method for windows of 3 x 3 side by side: the output is made in tiles of n x n pixels,
// each from (n + 2) x (n + 2) pixels of the input. Transforms of a tile's input and of the filter
// give (n + 2)^2 values per channel; each of these, over all tiles and channels, is a matrix, and
// the sums over the channels are products of such matrices. Another transform turns the products of
// a tile into its pixels. So (n + 2)^2 multiplications make n^2 pixels, instead of 9 n^2.
//
// Here is what the filter becomes, for all backends. The points at which polynomials are evaluated
// are 0, 1, -1 and infinity for tiles of 2 x 2 outputs; 0, 3/4, -3/4, 3/2, -3/2 and infinity for 4
// x 4, which have exact products and a third of the rounding errors of 0, 1, -1, 2, -2.
namespace linnet {

inline constexpr int kWinogradKernel = 3;
inline constexpr int kWinogradTaps = kWinogradKernel * kWinogradKernel;
inline constexpr int kMostWinogradSide = 6;
inline constexpr int kMostWinogradMatrices = kMostWinogradSide * kMostWinogradSide;

// Inputs on a side of a tile with `outputs` (2 or 4) on each side.
constexpr int WinogradSide(int outputs) { return outputs + kWinogradKernel - 1; }
// Matrices that are multiplied: one for each input of a tile.
constexpr int WinogradMatrices(int outputs) {
  return WinogradSide(outputs) * WinogradSide(outputs);
}

// One line of the windows of kCount neighbouring channels, transformed.
template <int kCount>
void TransformWinogradLine(int outputs, const double (&g)[kWinogradKernel][kCount],
                           double (&to)[kMostWinogradSide][kCount]) {
  constexpr double a = 0.75, b = 1.5;  // the points are 0, a, -a, b, -b
  constexpr double at_a = 1 / (2 * a * a * (a * a - b * b));
  constexpr double at_b = 1 / (2 * b * b * (b * b - a * a));
  for (int n = 0; n < kCount; ++n) {
    const double g0 = g[0][n], g1 = g[1][n], g2 = g[2][n];
    if (outputs == 2) {
      to[0][n] = g0;
      to[1][n] = 0.5 * (g0 + g1 + g2);
      to[2][n] = 0.5 * (g0 - g1 + g2);
      to[3][n] = g2;
    } else {
      to[0][n] = g0 / (a * a * b * b);
      to[1][n] = at_a * (g0 + a * g1 + a * a * g2);
      to[2][n] = at_a * (g0 - a * g1 + a * a * g2);
      to[3][n] = at_b * (g0 + b * g1 + b * b * g2);
      to[4][n] = at_b * (g0 - b * g1 + b * b * g2);
      to[5][n] = g2;
    }
  }
}

// Of kCount neighbouring channels of a filter: tap t of the first is taps[t * stride], its value
// for matrix i becomes values[i * step].
template <int kCount>
void TransformWinogradWindows(int outputs, const float* taps, int64_t stride, float* values,
                              int64_t step) {
  const int side = WinogradSide(outputs);
  double columns[kMostWinogradSide][kWinogradKernel][kCount];
  for (int x = 0; x < kWinogradKernel; ++x) {
    double column[kWinogradKernel][kCount], line[kMostWinogradSide][kCount];
    for (int y = 0; y < kWinogradKernel; ++y)
      for (int n = 0; n < kCount; ++n) column[y][n] = taps[(y * kWinogradKernel + x) * stride + n];
    TransformWinogradLine(outputs, column, line);
    for (int i = 0; i < side; ++i)
      for (int n = 0; n < kCount; ++n) columns[i][x][n] = line[i][n];
  }
  for (int i = 0; i < side; ++i) {
    double line[kMostWinogradSide][kCount];
    TransformWinogradLine(outputs, columns[i], line);
    for (int j = 0; j < side; ++j, values += step)
      for (int n = 0; n < kCount; ++n) values[n] = static_cast<float>(line[j][n]);
  }
}

}  // namespace linnet
