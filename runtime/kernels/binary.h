// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

// Kinds of the op Binary, by element type.
// clang-format off
#define LINNET_BINARY_F32_VECTOR(X)                                               \
  X(Add) X(Sub) X(Mul) X(Div) X(FloorDiv) X(TruncateDiv) X(DivNoNan) X(Maximum)   \
  X(Minimum) X(SquaredDifference)
// Loops around the C library's functions.
#define LINNET_BINARY_F32_LIBM(X) X(FloorMod) X(TruncateMod) X(Pow) X(Atan2)
#define LINNET_BINARY_F32(X)  \
  LINNET_BINARY_F32_VECTOR(X) \
  LINNET_BINARY_F32_LIBM(X)
#define LINNET_BINARY_INTEGER(X)                                                  \
  X(Add) X(Sub) X(Mul) X(Div) X(FloorDiv) X(FloorMod) X(TruncateDiv)              \
  X(TruncateMod) X(Maximum) X(Minimum) X(Pow) X(SquaredDifference)
// clang-format on
#define LINNET_COMPARE(X) X(Equal) X(NotEqual) X(Less) X(LessEqual) X(Greater) X(GreaterEqual)

namespace linnet::kernels {

// Binary<Kind>: out[i] = f(a[i], b[i]) for i < count. out may be a or b. Floats are clamped to
// [min, max], NaN stays NaN; integers wrap. For integers, b must not contain 0 in divisions or
// negative numbers in Pow.
#define LINNET_DECLARE(name)                                                             \
  void Binary##name(const float* a, const float* b, int64_t count, float min, float max, \
                    float* out);
LINNET_BINARY_F32(LINNET_DECLARE)
#undef LINNET_DECLARE

#define LINNET_DECLARE(name)                                                          \
  void Binary##name(const int32_t* a, const int32_t* b, int64_t count, int32_t* out); \
  void Binary##name(const int64_t* a, const int64_t* b, int64_t count, int64_t* out);
LINNET_BINARY_INTEGER(LINNET_DECLARE)
#undef LINNET_DECLARE

// Elements are 0 or 1.
void BinaryLogicalAnd(const uint8_t* a, const uint8_t* b, int64_t count, uint8_t* out);
void BinaryLogicalOr(const uint8_t* a, const uint8_t* b, int64_t count, uint8_t* out);

// Compare<Kind>: out[i] = a[i] ? b[i] as 0 or 1. NaN compares false, except NotEqual.
#define LINNET_DECLARE(name)                                                           \
  void Compare##name(const float* a, const float* b, int64_t count, uint8_t* out);     \
  void Compare##name(const int32_t* a, const int32_t* b, int64_t count, uint8_t* out); \
  void Compare##name(const int64_t* a, const int64_t* b, int64_t count, uint8_t* out);
LINNET_COMPARE(LINNET_DECLARE)
#undef LINNET_DECLARE

// out[i] = condition[i] ? a[i] : b[i]; elements of 1, 2, 4 or 8 bytes. out may be any input.
void Select(const uint8_t* condition, const void* a, const void* b, int64_t element_bytes,
            int64_t count, void* out);

}  // namespace linnet::kernels
