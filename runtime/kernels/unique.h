// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/dtype.h"
#include "runtime/core/parallel.h"

namespace linnet::kernels {

// 32-bit slots that Unique needs for `rows` rows.
int64_t UniqueSlots(int64_t rows);

// Copies each of `rows` rows of `row` elements that equals none before it to `unique`, writes for
// every row which of these it is to `numbers` and how often each occurs to `counts`, and returns
// how many there are. Floats are compared as numbers: 0 is -0, and NaN equals nothing. dtype: bool,
// f32 or any integer; slots: UniqueSlots(rows) of them; the outputs: room for all rows. Takes time
// in proportion to the input.
int32_t Unique(DType dtype, int64_t rows, int64_t row, const void* in, int32_t* slots, void* unique,
               int32_t* numbers, int32_t* counts, const Parallel& parallel);

}  // namespace linnet::kernels
