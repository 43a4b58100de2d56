// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/dtype.h"

namespace linnet::kernels {

// out[i] = in[i], converted as TensorFlow does on x86: floats to integers truncate towards zero,
// and give the smallest integer of 32 (or 64) bits when out of that range or NaN; integers wrap
// when converted to narrower ones; bool is x != 0. Any two dtypes. out may be in when both have the
// same element size.
void Cast(DType from, const void* in, DType to, int64_t count, void* out);

// Narrow integers (u8, i8, u16, i16, bool) are computed as i32. These convert to i32, and back with
// wrapping.
void WidenToInt32(DType from, const void* in, int64_t count, int32_t* out);
void NarrowFromInt32(const int32_t* in, DType to, int64_t count, void* out);

constexpr bool IsNarrow(DType dtype) { return DTypeBytes(dtype) < 4 && dtype != DType::kFloat16; }

}  // namespace linnet::kernels
