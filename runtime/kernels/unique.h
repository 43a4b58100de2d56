// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/dtype.h"
#include "runtime/core/parallel.h"

namespace linnet::kernels {

// 32-bit slots that Unique needs for `rows` rows.
int64_t UniqueSlots(int64_t rows);

// Copies each of `rows` rows of `row` elements that differs from all rows before it to `unique`,
// writes to `numbers` the index of each row among these and to `counts` how often each occurs, and
// returns their number. Floats are compared as numbers: 0 equals -0, and NaN equals nothing. dtype:
// bool, f32 or any integer; slots: room for UniqueSlots(rows); the outputs: room for all rows.
// Takes linear time.
int32_t Unique(DType dtype, int64_t rows, int64_t row, const void* in, int32_t* slots, void* unique,
               int32_t* numbers, int32_t* counts, const Parallel& parallel);

}  // namespace linnet::kernels
