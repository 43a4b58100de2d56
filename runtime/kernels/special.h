// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

// Kinds of the op Unary that convolutional networks rarely use: one call of libm per element.
#define LINNET_UNARY_F32_SPECIAL(X) \
  X(Asin)                           \
  X(Acos) X(Atan) X(Sinh) X(Cosh) X(Asinh) X(Acosh) X(Atanh) X(Lgamma) X(Digamma) X(Erfc) X(Erfinv)

namespace linnet::kernels {

// out[i] = f(in[i]) for i < count. out may be in. alpha is not used.
#define LINNET_DECLARE(name) \
  void Unary##name(const float* in, int64_t count, float alpha, float* out);
LINNET_UNARY_F32_SPECIAL(LINNET_DECLARE)
#undef LINNET_DECLARE

}  // namespace linnet::kernels
