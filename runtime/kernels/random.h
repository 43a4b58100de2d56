// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/dtype.h"
#include "runtime/core/parallel.h"
#include "runtime/kernels/philox.h"

namespace linnet::kernels {

enum class RealKind { kUniform, kNormal, kTruncatedNormal };

// `count` floats as TensorFlow draws them for dtype `drawn_as`. Uniform: in [0, 1), from the low 10
// bits of a word for f16 and 23 for f32; f64 uses 52 bits of two words, and the result is the
// nearest float, which may be 1. Normal: Box and Muller's method with pairs of uniform f32 or f64
// numbers.
void RandomReals(RealKind kind, DType drawn_as, const Philox& philox, int64_t count, float* out,
                 const Parallel& parallel);

// i32 from one word, i64 from two. Any number when `range` is 0, else one in [min, min + range).
void RandomIntegers(const Philox& philox, int32_t min, uint32_t range, int64_t count, int32_t* out,
                    const Parallel& parallel);
void RandomIntegers(const Philox& philox, int64_t min, uint64_t range, int64_t count, int64_t* out,
                    const Parallel& parallel);

// The numbers 0 to count - 1, shuffled by Fisher and Yates' method with one word for each but the
// last.
void RandomPermutation(const Philox& philox, int64_t count, int32_t* out, const Parallel& parallel);

// Chooses `samples` classes for each row of logits [rows, classes]: each the first class whose
// cumulative weight is above a uniform f64 number times the sum. `cumulative` has room for
// `classes`.
void RandomClasses(const Philox& philox, const float* logits, int64_t rows, int64_t classes,
                   int64_t samples, double* cumulative, int64_t* out, const Parallel& parallel);

}  // namespace linnet::kernels
