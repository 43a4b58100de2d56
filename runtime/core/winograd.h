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

// One line of a window, transformed. T is double, or a vector of them: as many windows. Inlined,
// because the loops of one instruction set (runtime/kernels/isa.h) call it with their own vectors.
template <typename T>
[[gnu::always_inline]] inline void TransformWinogradLine(int outputs, const T (&g)[kWinogradKernel],
                                                         T (&to)[kMostWinogradSide]) {
  constexpr double a = 0.75, b = 1.5;  // the points are 0, a, -a, b, -b
  constexpr double at_a = 1 / (2 * a * a * (a * a - b * b));
  constexpr double at_b = 1 / (2 * b * b * (b * b - a * a));
  if (outputs == 2) {
    to[0] = g[0];
    to[1] = 0.5 * (g[0] + g[1] + g[2]);
    to[2] = 0.5 * (g[0] - g[1] + g[2]);
    to[3] = g[2];
  } else {
    to[0] = g[0] / (a * a * b * b);
    to[1] = at_a * (g[0] + a * g[1] + a * a * g[2]);
    to[2] = at_a * (g[0] - a * g[1] + a * a * g[2]);
    to[3] = at_b * (g[0] + b * g[1] + b * b * g[2]);
    to[4] = at_b * (g[0] - b * g[1] + b * b * g[2]);
    to[5] = g[2];
  }
}

// Calls store(i, value) with a window's value for each matrix i.
template <typename T, typename Store>
[[gnu::always_inline]] inline void TransformWinogradWindow(int outputs,
                                                           const T (&taps)[kWinogradTaps],
                                                           const Store& store) {
  const int side = WinogradSide(outputs);
  T columns[kMostWinogradSide][kWinogradKernel];
  for (int x = 0; x < kWinogradKernel; ++x) {
    const T column[] = {taps[x], taps[kWinogradKernel + x], taps[2 * kWinogradKernel + x]};
    T line[kMostWinogradSide];
    TransformWinogradLine(outputs, column, line);
    for (int i = 0; i < side; ++i) columns[i][x] = line[i];
  }
  for (int i = 0; i < side; ++i) {
    T line[kMostWinogradSide];
    TransformWinogradLine(outputs, columns[i], line);
    for (int j = 0; j < side; ++j) store(i * side + j, line[j]);
  }
}

}  // namespace linnet
