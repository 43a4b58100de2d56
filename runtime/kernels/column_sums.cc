// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/column_sums.h"

#include <algorithm>
#include <limits>

#include "runtime/core/checked.h"
#include "runtime/kernels/independent_loops.h"
#include "runtime/kernels/isa.h"
#include "runtime/kernels/pool2d.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kColumns = 256;  // summed together
constexpr int64_t kMostBlocks = 8;
constexpr int64_t kMostColumns = 4096;  // for more, the sums of the blocks would take much memory
constexpr int64_t kTwoBlocksElements = 1 << 14;  // worth a second thread
constexpr int64_t kBlockElements = 1 << 15;      // worth another block's sums in memory

// Sums of rows [first, end) of some columns.
void SumBlock(const ColumnSums& s, int64_t first, int64_t end, int64_t column, int64_t columns,
              double* totals) {
  float sums[kColumns];
  std::fill_n(totals, columns, 0.0);
  for (int64_t row = first; row < end; row += kSumRows) {
    std::fill_n(sums, columns, 0.0f);
    AddRows(s.in + row * s.columns + column, std::min(kSumRows, end - row), s.columns, columns,
            sums);
    LINNET_VECTORIZE
    for (int64_t c = 0; c < columns; ++c) totals[c] += sums[c];
  }
}

}  // namespace

int64_t ColumnSumBlocks(int64_t rows, int64_t columns) {
  const int64_t elements = SaturatingMul(rows, columns);
  if (columns > kMostColumns || rows < 2 || elements < kTwoBlocksElements) return 1;
  int64_t blocks = 2;
  while (blocks < kMostBlocks && 2 * blocks <= rows && 2 * blocks * kBlockElements <= elements)
    blocks *= 2;
  return blocks;
}

int64_t ColumnSumsScratch(int64_t rows, int64_t columns) {
  const int64_t most = std::min(columns, kMostColumns), blocks = ColumnSumBlocks(rows, most);
  return blocks == 1 ? 0 : blocks * most * int64_t{sizeof(double)};
}

void SumColumns(const ColumnSums& s, void* scratch, const Parallel& parallel) {
  auto* totals = static_cast<double*>(scratch);
  const int64_t blocks = ColumnSumBlocks(s.rows, s.columns), runs = CeilDiv(s.columns, kColumns);
  ParallelFor(parallel, blocks * runs, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t block = i / runs, column = i % runs * kColumns;
      SumBlock(s, s.rows * block / blocks, s.rows * (block + 1) / blocks, column,
               std::min(kColumns, s.columns - column), totals + block * s.columns + column);
    }
  });
  for (int64_t block = 1; block < blocks; ++block) {
    const double* more = totals + block * s.columns;
    LINNET_VECTORIZE
    for (int64_t c = 0; c < s.columns; ++c) totals[c] += more[c];
  }
  const double factor = 1 / s.divisor;
  LINNET_VECTORIZE
  for (int64_t c = 0; c < s.columns; ++c) s.out[c] = static_cast<float>(totals[c] * factor);
}

// By the loop of poolings: a window of one column, whose sum so far is in `sums`.
void AddRows(const float* in, int64_t rows, int64_t stride, int64_t columns, float* sums) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Isa<&IsaKernels::mean_of_windows>()({.in = in,
                                       .out = sums,
                                       .begun = true,
                                       .windows = 1,
                                       .rows = rows,
                                       .columns = 1,
                                       .channels = columns,
                                       .row_step = stride,
                                       .divisor = 1.0f,
                                       .min = -kInfinity,
                                       .max = kInfinity});
}

}  // namespace linnet::kernels
