// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// Elementary functions of one float, written without branches so that compilers vectorise the loops
// around them on every CPU. They treat infinities, NaN and subnormals as IEEE functions do, and
// stay within their error when the CPU flushes subnormals to zero. Largest errors, measured against
// double over every third float (tests/runtime/kernels/vector_math_test.cc holds them):
//   Exp 1.0 ulp, Expm1 1.6, Log 0.9, Log1p 1.5, Tanh 2.5, Sigmoid 2.9, Erf 1.4.
namespace linnet::kernels {

namespace math_detail {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kLog2E = 1.442695041f;
inline constexpr float kLn2Hi = 0.693359375f;  // few bits, so that k * kLn2Hi is exact
inline constexpr float kLn2Lo = -2.12194440e-4f;
// Adding 1.5 * 2^23 leaves the nearest integer in the low bits of the sum.
inline constexpr float kRoundMagic = 12582912.0f;

// 2^n, n in [-126, 127].
inline float PowerOfTwo(int32_t n) {
  return std::bit_cast<float>(static_cast<uint32_t>(n + 127) << 23);
}

// x = n ln 2 + r with |r| <= ln 2 / 2.
struct Reduced {
  int32_t n;
  float r;
};
inline Reduced ReduceByLn2(float x) {
  const float shifted = x * kLog2E + kRoundMagic;
  const float k = shifted - kRoundMagic;
  // Unsigned: for NaN the difference means nothing but must not overflow.
  const uint32_t n = std::bit_cast<uint32_t>(shifted) - std::bit_cast<uint32_t>(kRoundMagic);
  return {static_cast<int32_t>(n), (x - k * kLn2Hi) - k * kLn2Lo};
}

// NaN stays NaN.
inline float ClampArgument(float x, float low, float high) {
  x = x > high ? high : x;
  return x < low ? low : x;
}

}  // namespace math_detail

inline float Exp(float x) {
  using namespace math_detail;
  const Reduced a = ReduceByLn2(ClampArgument(x, -104.5f, 89.0f));
  float p = 1.381445560e-03f;
  p = p * a.r + 8.368785493e-03f;
  p = p * a.r + 4.166839644e-02f;
  p = p * a.r + 1.666651964e-01f;
  p = p * a.r + 4.999999404e-01f;
  p = (p * a.r * a.r + a.r) + 1.0f;
  // Two factors: 2^n alone would overflow for n = 128 and cannot express subnormal results. The
  // sums are unsigned because n is arbitrary when x is NaN.
  const uint32_t n = static_cast<uint32_t>(a.n);
  const uint32_t half = static_cast<uint32_t>(a.n >> 1);
  return p * std::bit_cast<float>((half + 127u) << 23) *
         std::bit_cast<float>((n - half + 127u) << 23);
}

// exp(x) - 1, accurate near 0.
inline float Expm1(float x) {
  using namespace math_detail;
  const Reduced a = ReduceByLn2(ClampArgument(x, -80.0f, 89.0f));
  float p = 1.984588598e-04f;
  p = p * a.r + 1.394072780e-03f;
  p = p * a.r + 8.333389647e-03f;
  p = p * a.r + 4.166635871e-02f;
  p = p * a.r + 1.666666567e-01f;
  p = p * a.r + 0.5f;
  p = p * a.r * a.r + a.r;
  // 2^(n-1), so that n = 128 does not overflow before the end.
  const float half = std::bit_cast<float>((static_cast<uint32_t>(a.n) + 126u) << 23);
  return (half * p + (half - 0.5f)) * 2.0f;
}

inline float Log(float x) {
  using namespace math_detail;
  constexpr float kMin = std::numeric_limits<float>::min();
  const bool subnormal = x < kMin;
  const uint32_t bits = std::bit_cast<uint32_t>(subnormal ? x * 8388608.0f : x);
  // m in [sqrt(1/2), sqrt(2)), x = m 2^e.
  const int32_t e = static_cast<int32_t>(bits - 0x3f3504f3u) >> 23;
  const float f = std::bit_cast<float>(bits - (static_cast<uint32_t>(e) << 23)) - 1.0f;
  const float k = static_cast<float>(e) - (subnormal ? 23.0f : 0.0f);
  float p = -7.634492964e-02f;
  p = p * f + 1.276157498e-01f;
  p = p * f - 1.316018254e-01f;
  p = p * f + 1.420175880e-01f;
  p = p * f - 1.662335694e-01f;
  p = p * f + 2.000122666e-01f;
  p = p * f - 2.500081956e-01f;
  p = p * f + 3.333333135e-01f;
  const float square = f * f;
  p = p * f * square + k * kLn2Lo;
  float y = (f + (p - 0.5f * square)) + k * kLn2Hi;
  y = x <= std::numeric_limits<float>::max() ? y : x;  // inf and NaN
  y = x < 0.0f ? kNaN : y;
  return x == 0.0f ? -kInf : y;
}

// log(1 + x), accurate near 0.
inline float Log1p(float x) {
  using namespace math_detail;
  const float u = 1.0f + x;
  // What rounding lost in u, as a first-order correction.
  const float lost = x > 1.0f ? 1.0f - (u - x) : x - (u - 1.0f);
  const float y = Log(u) + lost / u;
  // u is 1 (x itself is best), or infinite or 0 (the correction is NaN).
  const float edge = u == 1.0f ? x : Log(u);
  return ((u == 1.0f) | (u == 0.0f) | (u == kInf)) ? edge : y;
}

inline float Tanh(float x) {
  const float e = Expm1(-2.0f * std::fabs(x));
  return std::copysign(-e / (e + 2.0f), x);
}

inline float Sigmoid(float x) {
  const float e = Exp(-std::fabs(x));
  const float y = 1.0f / (1.0f + e);
  return x < 0.0f ? e * y : y;
}

inline float Erf(float x) {
  const float t = std::fabs(x);
  const float s = x * x;
  float near = -5.953741493e-04f;
  near = near * s + 4.985940643e-03f;
  near = near * s - 2.676171996e-02f;
  near = near * s + 1.128168255e-01f;
  near = near * s - 3.761247993e-01f;
  near = near * s + 1.283791512e-01f;
  near = near * x + x;
  // -log(1 - erf(t)); from 4 on erf rounds to 1.
  const float u = t > 4.0f ? 4.0f : t;
  float q = -2.139850258e-04f;
  q = q * u + 3.214956261e-03f;
  q = q * u - 2.288996615e-02f;
  q = q * u + 1.052618474e-01f;
  q = q * u + 6.357182860e-01f;
  q = q * u + 1.285143644e-01f;
  q = q * u + u;
  const float far = std::copysign(1.0f - Exp(-q), x);
  return t < 0.921875f ? near : far;
}

// Nearest integer, halves to even.
inline float RoundHalfEven(float x) {
  constexpr float kWhole = 8388608.0f;  // 2^23: every float from here on is an integer
  const float t = std::fabs(x);
  const float rounded = std::copysign((t + kWhole) - kWhole, x);
  return t < kWhole ? rounded : x;
}

inline float Floor(float x) {
  const float r = RoundHalfEven(x);
  return r > x ? r - 1.0f : r;
}

inline float Ceil(float x) {
  const float r = RoundHalfEven(x);
  return std::copysign(r < x ? r + 1.0f : r, x);
}

}  // namespace linnet::kernels
