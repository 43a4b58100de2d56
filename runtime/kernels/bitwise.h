// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#define LINNET_BITWISE(X) X(BitwiseAnd) X(BitwiseOr) X(BitwiseXor) X(LeftShift) X(RightShift)

namespace linnet::kernels {

// Binary<Kind>: out[i] = f(a[i], b[i]) for i < count. out may be a or b. Shift counts are
// clamped to 0..31, or 63 for i64; RightShift keeps the sign.
#define LINNET_DECLARE(name)                                                          \
  void Binary##name(const int32_t* a, const int32_t* b, int64_t count, int32_t* out); \
  void Binary##name(const int64_t* a, const int64_t* b, int64_t count, int64_t* out);
LINNET_BITWISE(LINNET_DECLARE)
#undef LINNET_DECLARE

// out[i] = ~in[i]. out may be in.
void UnaryBitwiseNot(const int32_t* in, int64_t count, int32_t* out);
void UnaryBitwiseNot(const int64_t* in, int64_t count, int64_t* out);

}  // namespace linnet::kernels
