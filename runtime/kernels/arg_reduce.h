// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/dtype.h"
#include "runtime/core/parallel.h"

namespace linnet::kernels {

// Position of the largest (min: smallest) of `axis` elements for every pair of outer and inner
// index: in is outer x axis x inner, out is outer x inner. The first one on ties. NaN is ignored,
// as in TensorFlow (0 when there is nothing else). 1 <= axis < 2^31. dtype: f32, i32, i64, u8, i8,
// bool; out_dtype: i32, i64.
void ArgReduce(DType dtype, const void* in, bool min, int64_t outer, int64_t axis, int64_t inner,
               DType out_dtype, void* out, const Parallel& parallel);

}  // namespace linnet::kernels
