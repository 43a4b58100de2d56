// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/gemm.h"

#include "runtime/kernels/isa.h"

namespace linnet::kernels {

void PackPanels(const MatrixView& matrix, int64_t depth, int64_t cols, int64_t packed_depth,
                int64_t packed_row, float* panels) {
  for (int64_t col = 0; col < cols; col += kPanelCols) {
    const int64_t width = PanelWidth(cols - col);
    const int64_t filled = std::min(width, cols - col);
    const float* from = matrix.data + col * matrix.col_stride;
    float* to = panels + col * packed_depth + packed_row * width;
    for (int64_t k = 0; k < depth; ++k, from += matrix.depth_stride, to += width) {
      for (int64_t n = 0; n < filled; ++n) to[n] = from[n * matrix.col_stride];
      for (int64_t n = filled; n < width; ++n) to[n] = 0;
    }
  }
}

void Gemm(const GemmBlock& block) { Isa().gemm(block); }

}  // namespace linnet::kernels
