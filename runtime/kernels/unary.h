// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

// Kinds of the op Unary, by element type.
// clang-format off
#define LINNET_UNARY_F32_SHORT(X)                                                          \
  X(Abs) X(Neg) X(Sign) X(Square) X(Reciprocal) X(HardSwish) X(HardSigmoid) X(LeakyRelu)   \
  X(Sqrt) X(Rsqrt) X(Softsign) X(Floor) X(Ceil) X(Round)
#define LINNET_UNARY_F32_LONG(X)                                                           \
  X(Exp) X(Expm1) X(Log) X(Log1p) X(Tanh) X(Sigmoid) X(Erf) X(GeluErf) X(GeluTanh)         \
  X(Swish) X(Elu) X(Selu) X(Softplus)
#define LINNET_UNARY_F32_ANGLE(X) X(Sin) X(Cos) X(Tan)
// clang-format on
#define LINNET_UNARY_F32(X) \
  LINNET_UNARY_F32_SHORT(X) \
  LINNET_UNARY_F32_LONG(X)  \
  LINNET_UNARY_F32_ANGLE(X)
#define LINNET_UNARY_INTEGER(X) X(Abs) X(Neg) X(Sign) X(Square)
#define LINNET_UNARY_TEST(X) X(IsNan) X(IsInf) X(IsFinite)

namespace linnet::kernels {

// Unary<Kind>: out[i] = f(in[i]) for i < count. out may be in. Integers wrap. Only LeakyRelu uses
// alpha.
#define LINNET_DECLARE(name) \
  void Unary##name(const float* in, int64_t count, float alpha, float* out);
LINNET_UNARY_F32(LINNET_DECLARE)
#undef LINNET_DECLARE

#define LINNET_DECLARE(name)                                        \
  void Unary##name(const int32_t* in, int64_t count, int32_t* out); \
  void Unary##name(const int64_t* in, int64_t count, int64_t* out);
LINNET_UNARY_INTEGER(LINNET_DECLARE)
#undef LINNET_DECLARE

#define LINNET_DECLARE(name) void Unary##name(const float* in, int64_t count, uint8_t* out);
LINNET_UNARY_TEST(LINNET_DECLARE)
#undef LINNET_DECLARE

// out[i] = 1 - in[i]; elements are 0 or 1.
void UnaryLogicalNot(const uint8_t* in, int64_t count, uint8_t* out);

// out[i] = in[i] clamped to [low, high]; NaN stays NaN. out may be in.
void Clamp(const float* in, int64_t count, float low, float high, float* out);

// out[r][c] = x[r][c] >= 0 ? x[r][c] : alpha[c] * x[r][c], dense. out may be x.
void Prelu(const float* x, const float* alpha, int64_t rows, int64_t channels, float* out);

}  // namespace linnet::kernels
