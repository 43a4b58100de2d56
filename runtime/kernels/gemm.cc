// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/gemm.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/transpose_tile.h"
#include "runtime/kernels/isa.h"
#include "runtime/kernels/plain_product.h"

namespace linnet::kernels {

namespace {

// One panel: columns [0, filled) of `matrix`, and zeros up to `width`.
void PackPanel(const MatrixView& matrix, int64_t depth, int64_t filled, int64_t width, float* to) {
  constexpr int64_t kLine = 64 / sizeof(float);
  if (matrix.depth_stride == 1 && filled == width) {
    for (int64_t k = 0; k < depth; k += kLine) {
      TransposeBlock<float>(reinterpret_cast<const char*>(matrix.data + k),
                            matrix.col_stride * int64_t{sizeof(float)},
                            reinterpret_cast<char*>(to + k * width), width * int64_t{sizeof(float)},
                            std::min(kLine, depth - k), width);
    }
    return;
  }
  const float* from = matrix.data;
  for (int64_t k = 0; k < depth; ++k, from += matrix.depth_stride, to += width) {
    if (matrix.col_stride == 1 && filled == kPanelCols) {
      std::memcpy(to, from, kPanelCols * sizeof(float));
      continue;
    }
    for (int64_t n = 0; n < filled; ++n) to[n] = from[n * matrix.col_stride];
    for (int64_t n = filled; n < width; ++n) to[n] = 0;
  }
}

auto EncodedProductOf(const EncodedFilter& filter) {
#if LINNET_HAS_FP16_KERNELS
  if (filter.in_halves) return kProductInHalves;
#endif
  return filter.is_affine ? Isa<&IsaKernels::affine_product>() : Isa<&IsaKernels::half_product>();
}

auto ProductOf(const GemmBlock& block) {
  if (kLinkedEncodedPanels && block.encoded != nullptr) return EncodedProductOf(*block.encoded);
  const PacksWeights packed = block.plain.col_stride == 0;
  return packed ? Isa<&IsaKernels::gemm>() : PlainProduct;
}

}  // namespace

void PointToRows(const float* first, int64_t step, int64_t count, const float** rows) {
  Isa<&IsaKernels::point_to_rows>()(first, step, count, rows);
}

void PointToRows(float* first, int64_t step, int64_t count, float** rows) {
  PointToRows(first, step, count, const_cast<const float**>(rows));
}

void PackPanels(const MatrixView& matrix, int64_t depth, int64_t cols, int64_t packed_depth,
                int64_t packed_row, float* panels) {
  for (int64_t col = 0; col < cols; col += kPanelCols) {
    const int64_t width = PanelWidth(cols - col);
    PackPanel({matrix.data + col * matrix.col_stride, matrix.depth_stride, matrix.col_stride},
              depth, std::min(width, cols - col), width,
              panels + col * packed_depth + packed_row * width);
  }
}

void Gemm(const GemmBlock& block, const Parallel& parallel) {
  // The loops compute dozens of products in the time of one simple operation.
  constexpr int64_t kMostMacs = 128 * kWorkPerQuestion;
  const PacksWeights packed = block.plain.col_stride == 0;
  const auto gemm = ProductOf(block);
  const int64_t depth = block.taps * block.depth;
  const int64_t panel_macs = std::max<int64_t>(block.rows * depth * kPanelCols, 1);
  const int64_t run = std::max<int64_t>(kMostMacs / panel_macs, 1) * kPanelCols;
  if (run >= block.cols) return gemm(block);
  float* out[kMaxGemmBlockRows];
  GemmBlock part = block;
  part.out = out;
  for (int64_t col = 0; col < block.cols && !parallel.Stopped(); col += run) {
    part.cols = std::min(run, block.cols - col);
    part.panels = block.PanelsFrom(col * depth);
    part.encoded_offset = block.encoded_offset + col * depth;
    if (block.plain.data != nullptr) part.plain.data += col * block.plain.col_stride;
    part.tap_offset = block.tap_offset + col * (packed ? block.depth : block.plain.col_stride);
    part.bias = block.bias == nullptr ? nullptr : block.bias + col;
    for (int64_t m = 0; m < block.rows; ++m) out[m] = block.out[m] + col;
    gemm(part);
  }
}

}  // namespace linnet::kernels
