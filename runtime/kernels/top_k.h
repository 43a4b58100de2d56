// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/dtype.h"
#include "runtime/core/parallel.h"

namespace linnet::kernels {

// Bytes of temporary memory that TopK needs with `threads` threads: not more for fewer columns.
int64_t TopKScratch(int64_t cols, int64_t k, int threads);

// The k largest elements of each row of a dense rows x cols matrix, largest first, and their column
// numbers; on ties the smaller column first. NaN ranks above everything. 0 <= k <= cols < 2^31.
// dtype: f32, i32, i64, u8, i8. values, indices: rows x k. scratch: aligned to 64 bytes.
void TopK(DType dtype, const void* in, int64_t rows, int64_t cols, int64_t k, void* values,
          int32_t* indices, void* scratch, const Parallel& parallel);

}  // namespace linnet::kernels
