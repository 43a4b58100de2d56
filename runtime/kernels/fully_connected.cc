// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/fully_connected.h"

#include "runtime/kernels/gemm_split.h"

namespace linnet::kernels {

void PackFullyConnected(const FullyConnectedShape& s, const float* filter, float* packed,
                        const Parallel& parallel) {
  const int64_t grain = CeilDiv(1 << 14, std::max<int64_t>(s.depth, 1));
  ParallelFor(parallel, NumPanels(s.cols), grain, [&](int64_t begin, int64_t end) {
    const int64_t col = begin * kPanelCols, cols = std::min(end * kPanelCols, s.cols) - col;
    // The columns of a run that ends inside the matrix fill whole panels.
    PackPanels({filter + col * s.depth, 1, s.depth}, s.depth, cols, s.depth, 0,
               packed + col * s.depth);
  });
}

void FullyConnected(const FullyConnectedShape& s, const float* in, const Filter& filter,
                    const float* bias, float min, float max, float* out, const Parallel& parallel) {
  if (s.rows == 0 || s.cols == 0) return;
  const int64_t slots = GemmSlots(parallel, SaturatingMul(s.rows * s.cols, s.depth));
  const GemmSplit split(s.rows, s.cols, s.depth, GemmBlockRows(s.depth), slots);
  ForEachPiece(parallel, slots, split.pieces(), [&](int64_t, int64_t piece) {
    const float* a[kMaxGemmBlockRows];
    float* out_rows[kMaxGemmBlockRows];
    const int64_t first = split.row_begin(piece), col = split.col_begin(piece);
    GemmBlock block;
    block.rows = split.row_end(piece) - first;
    PointToRows(in + first * s.depth, s.depth, block.rows, a);
    PointToRows(out + first * s.cols + col, s.cols, block.rows, out_rows);
    block.cols = split.col_end(piece) - col;
    block.depth = s.depth;
    block.a = a;
    filter.PassTo(&block, col * s.depth, s.depth);
    block.bias = bias == nullptr ? nullptr : bias + col;
    block.out = out_rows;
    block.min = min;
    block.max = max;
    Gemm(block, parallel);
  });
}

}  // namespace linnet::kernels
