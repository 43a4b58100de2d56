// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/unary.h"

#include <type_traits>

#include "runtime/kernels/vector_math.h"
#include "runtime/kernels/vectorize.h"

namespace linnet::kernels {
namespace {

// f: the functions behind the f32 kinds, named as the kinds are.
namespace f {

inline float Abs(float x, float) { return std::fabs(x); }
inline float Neg(float x, float) { return -x; }
inline float Sign(float x, float) {
  const float sign = static_cast<float>((x > 0.0f) - (x < 0.0f));
  return x == x ? sign : x;
}
inline float Square(float x, float) { return x * x; }
inline float Sqrt(float x, float) { return std::sqrt(x); }
inline float Rsqrt(float x, float) { return 1.0f / std::sqrt(x); }
inline float Reciprocal(float x, float) { return 1.0f / x; }
inline float Exp(float x, float) { return kernels::Exp(x); }
inline float Expm1(float x, float) { return kernels::Expm1(x); }
inline float Log(float x, float) { return kernels::Log(x); }
inline float Log1p(float x, float) { return kernels::Log1p(x); }
inline float Sin(float x, float) { return std::sin(x); }
inline float Cos(float x, float) { return std::cos(x); }
inline float Tan(float x, float) { return std::tan(x); }
inline float Tanh(float x, float) { return kernels::Tanh(x); }
inline float Sigmoid(float x, float) { return kernels::Sigmoid(x); }
inline float Erf(float x, float) { return kernels::Erf(x); }
inline float GeluErf(float x, float) {
  return 0.5f * x * (1.0f + kernels::Erf(x * 0.70710678118f));
}
inline float GeluTanh(float x, float) {
  return 0.5f * x * (1.0f + kernels::Tanh(0.79788456080f * (x + 0.044715f * x * x * x)));
}
inline float Swish(float x, float) { return x * kernels::Sigmoid(x); }
inline float Limit(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}
inline float HardSwish(float x, float) { return x * Limit(x + 3.0f, 0.0f, 6.0f) * (1.0f / 6.0f); }
inline float HardSigmoid(float x, float) { return Limit(x * (1.0f / 6.0f) + 0.5f, 0.0f, 1.0f); }
inline float Elu(float x, float) {
  const float below = kernels::Expm1(x);
  return x < 0.0f ? below : x;
}
inline float Selu(float x, float) {
  const float below = 1.75809934084737685994f * kernels::Expm1(x);
  return x < 0.0f ? below : 1.05070098735548049342f * x;
}
inline float LeakyRelu(float x, float alpha) {
  const float below = alpha * x;
  return x > 0.0f ? x : below;
}
inline float Softplus(float x, float) {
  const float rest = kernels::Log1p(kernels::Exp(-std::fabs(x)));
  return (x < 0.0f ? 0.0f : x) + rest;  // NaN comes through x
}
inline float Softsign(float x, float) { return x / (1.0f + std::fabs(x)); }
inline float Floor(float x, float) { return kernels::Floor(x); }
inline float Ceil(float x, float) { return kernels::Ceil(x); }
inline float Round(float x, float) { return RoundHalfEven(x); }

}  // namespace f

// i: the integer kinds; arithmetic in the unsigned type wraps.
namespace i {

template <typename T>
using Unsigned = std::make_unsigned_t<T>;

template <typename T>
inline T Neg(T x) {
  return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(x));
}
template <typename T>
inline T Abs(T x) {
  return x < 0 ? Neg(x) : x;
}
template <typename T>
inline T Sign(T x) {
  return static_cast<T>((x > 0) - (x < 0));
}
template <typename T>
inline T Square(T x) {
  return static_cast<T>(static_cast<Unsigned<T>>(x) * static_cast<Unsigned<T>>(x));
}

}  // namespace i

namespace test {

inline uint8_t IsNan(float x) { return x != x; }
inline uint8_t IsInf(float x) { return std::fabs(x) == math_detail::kInf; }
inline uint8_t IsFinite(float x) { return std::fabs(x) < math_detail::kInf; }

}  // namespace test
}  // namespace

#define LINNET_DEFINE_LOOP(name)                                              \
  void Unary##name(const float* in, int64_t count, float alpha, float* out) { \
    LINNET_VECTORIZE                                                          \
    for (int64_t k = 0; k < count; ++k) out[k] = f::name(in[k], alpha);       \
  }
LINNET_UNARY_F32_SIMPLE(LINNET_DEFINE_LOOP)
#define LINNET_DEFINE(name) LINNET_WIDE LINNET_DEFINE_LOOP(name)
LINNET_UNARY_F32_EXPONENTIAL(LINNET_DEFINE)
#undef LINNET_DEFINE

#define LINNET_DEFINE(name)                                          \
  void Unary##name(const int32_t* in, int64_t count, int32_t* out) { \
    LINNET_VECTORIZE                                                 \
    for (int64_t k = 0; k < count; ++k) out[k] = i::name(in[k]);     \
  }                                                                  \
  void Unary##name(const int64_t* in, int64_t count, int64_t* out) { \
    LINNET_VECTORIZE                                                 \
    for (int64_t k = 0; k < count; ++k) out[k] = i::name(in[k]);     \
  }
LINNET_UNARY_INTEGER(LINNET_DEFINE)
#undef LINNET_DEFINE

#define LINNET_DEFINE(name)                                         \
  void Unary##name(const float* in, int64_t count, uint8_t* out) {  \
    for (int64_t k = 0; k < count; ++k) out[k] = test::name(in[k]); \
  }
LINNET_UNARY_TEST(LINNET_DEFINE)
#undef LINNET_DEFINE

void UnaryLogicalNot(const uint8_t* in, int64_t count, uint8_t* out) {
  LINNET_VECTORIZE
  for (int64_t k = 0; k < count; ++k) out[k] = in[k] ^ 1;
}

void Clamp(const float* in, int64_t count, float low, float high, float* out) {
  LINNET_VECTORIZE
  for (int64_t k = 0; k < count; ++k) {
    const float x = in[k] < low ? low : in[k];
    out[k] = x > high ? high : x;
  }
}

void Prelu(const float* x, const float* alpha, int64_t count, float* out) {
  LINNET_VECTORIZE
  for (int64_t k = 0; k < count; ++k) {
    const float below = alpha[k] * x[k];
    out[k] = x[k] >= 0.0f ? x[k] : below;
  }
}

}  // namespace linnet::kernels
