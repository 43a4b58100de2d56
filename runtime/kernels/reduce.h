// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/parallel.h"
#include "runtime/core/shape.h"

namespace linnet::kernels {

enum class ReduceKind { kSum, kMean, kProd, kMax, kMin };

// Reduces the dense tensor `in` over `axes` (strictly increasing, within the rank) to one element
// of the same dtype per output. dtype: f32, i32, i64; for kMax and kMin also u8, i8 and bool, where
// they are "any" and "all". Floats are summed in float over short runs, and the runs in double, so
// that the relative error does not grow with the count. Integers wrap; a mean of integers
// truncates. kMax and kMin propagate NaN. Empty reductions: sum 0, product 1, mean NaN (integers:
// 0), maximum the lowest and minimum the highest value (infinite for floats).
// `scratch`: ReduceScratch bytes for this shape or a larger one, aligned to 8.
void Reduce(ReduceKind kind, DType dtype, const void* in, const Shape& shape, const Shape& axes,
            void* out, void* scratch, const Parallel& parallel);
int64_t ReduceScratch(ReduceKind kind, DType dtype, const Shape& shape, const Shape& axes);

}  // namespace linnet::kernels
