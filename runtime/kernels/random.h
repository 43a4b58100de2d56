// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/dtype.h"
#include "runtime/core/parallel.h"
#include "runtime/kernels/philox.h"

namespace linnet::kernels {

enum class RealKind { kUniform, kNormal, kTruncatedNormal };

// `count` floats as TensorFlow draws them for `drawn_as`. Uniform in [0, 1), by the low bits of a
// word: 10 for f16, 23 for f32; f64 takes 52 bits of two words, and the nearest float, which may be
// 1, is the result. Normal: Box and Muller's, from pairs of uniform numbers of f32, or of f64.
void RandomReals(RealKind kind, DType drawn_as, const Philox& philox, int64_t count, float* out,
                 const Parallel& parallel);

// i32 from a word, i64 from two: any where `range` is 0, else `min` and `range` - 1 numbers above.
void RandomIntegers(const Philox& philox, int32_t min, uint32_t range, int64_t count, int32_t* out,
                    const Parallel& parallel);
void RandomIntegers(const Philox& philox, int64_t min, uint64_t range, int64_t count, int64_t* out,
                    const Parallel& parallel);

// 0 to count - 1 in the order that Fisher and Yates' shuffle leaves, a word for each but the last.
void RandomPermutation(const Philox& philox, int64_t count, int32_t* out, const Parallel& parallel);

// For each row of logits [rows, classes], `samples` of its classes: the first whose cumulative
// weight is above a uniform number of f64 times their sum. `cumulative` has room for `classes`.
void RandomClasses(const Philox& philox, const float* logits, int64_t rows, int64_t classes,
                   int64_t samples, double* cumulative, int64_t* out, const Parallel& parallel);

}  // namespace linnet::kernels
