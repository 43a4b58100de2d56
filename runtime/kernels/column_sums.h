// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"

namespace linnet::kernels {

// The sums of the columns of a matrix of floats, such as those of a picture's channels over its
// pixels. Several threads share the rows, not the columns: each then reads those that it has
// probably written in the step before, and will write again in the next. A processor takes several
// times as long to write a cache line that another one has read as to write one of its own.
struct ColumnSums {
  const float* in;
  int64_t rows, columns;
  float* out;
  double divisor;  // 1, or `rows` for means
};

// Blocks of rows whose sums are added at the end. Depends on nothing but the shape, so that the
// result does not depend on the number of threads. 1: SumColumns is not for this shape, because it
// is too little work for several threads, or has too many columns.
int64_t ColumnSumBlocks(int64_t rows, int64_t columns);

// Bytes for SumColumns, aligned to 8; also enough for fewer rows and columns.
int64_t ColumnSumsScratch(int64_t rows, int64_t columns);
// REQUIRES: ColumnSumBlocks > 1.
void SumColumns(const ColumnSums& sums, void* scratch, const Parallel& parallel);

// Rows summed in float before the sum goes to double, so that the relative error does not grow with
// the number of rows.
inline constexpr int64_t kSumRows = 32;

// Adds rows to `sums`, one for each of `columns` columns. Rows are `stride` elements apart.
void AddRows(const float* in, int64_t rows, int64_t stride, int64_t columns, float* sums);

}  // namespace linnet::kernels
