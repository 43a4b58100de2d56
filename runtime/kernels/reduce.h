// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/parallel.h"
#include "runtime/core/shape.h"

namespace linnet::kernels {

enum class ReduceKind { kSum, kMean, kProd, kMax, kMin };

// Reduces the dense tensor `in` over `axes` (strictly increasing, within the rank) to one element
// of the same dtype per output. dtype: f32, i32, i64; for kMax and kMin also u8, i8 and bool, where
// they are "any" and "all". Sums of floats are taken over short runs in float and over the runs in
// double, so their relative error does not grow with the count. Integers wrap; a mean of integers
// truncates (0 when the reduction is empty; a mean of floats is then NaN). kMax and kMin give NaN
// when any element is NaN. Other empty reductions: 0, 1, the lowest or highest value (infinite for
// floats).
void Reduce(ReduceKind kind, DType dtype, const void* in, const Shape& shape, const Shape& axes,
            void* out, const Parallel& parallel);

}  // namespace linnet::kernels
