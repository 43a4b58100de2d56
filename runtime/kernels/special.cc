// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/special.h"

#include <cmath>
#include <limits>

namespace linnet::kernels {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

namespace f {

inline float Asin(float x) { return std::asin(x); }
inline float Acos(float x) { return std::acos(x); }
inline float Atan(float x) { return std::atan(x); }
inline float Sinh(float x) { return std::sinh(x); }
inline float Cosh(float x) { return std::cosh(x); }
inline float Asinh(float x) { return std::asinh(x); }
inline float Acosh(float x) { return std::acosh(x); }
inline float Atanh(float x) { return std::atanh(x); }
inline float Erfc(float x) { return std::erfc(x); }

// ln(gamma(x)) for x > 0 by Lanczos' approximation with g = 7 (coefficients: P. Godfrey, 2001);
// wrong by less than 1e-14 or 1e-14 of the result.
inline double LgammaOfPositive(double x) {
  constexpr double kHalfLogOf2Pi = 0.918938533204672741780, kCentre = 0.99999999999980993227684;
  constexpr double kPoles[] = {676.520368121885098567009190,  -1259.13921672240287047156078,
                               771.3234287776530788486528259, -176.6150291621405990658455135,
                               12.50734327868690481445893685, -0.1385710952657201168955470698,
                               9.984369578019570859563e-06,   1.50563273514931155834e-07};
  double sum = kCentre, at = x;
  for (const double pole : kPoles) {
    sum += pole / at;
    at += 1.0;
  }
  const double t = x + 6.5;
  return kHalfLogOf2Pi + (x - 0.5) * std::log(t) - t + std::log(sum);
}

// Our own, because std::lgamma writes the sign to a global variable, which is not safe with several
// threads, and lgammaf_r is missing in some C libraries. In double, because the terms cancel near
// the zeros.
inline float Lgamma(float value) {
  constexpr double kPi = 3.14159265358979323846;
  const double x = value;
  if (std::isinf(value)) return kInf;
  if (!(x <= 0.0)) return static_cast<float>(LgammaOfPositive(x));  // NaN too
  const double from_pole = std::fabs(x - std::round(x));  // exact, and |sin| has this period
  if (from_pole == 0.0) return kInf;
  return static_cast<float>(std::log(kPi / std::sin(kPi * from_pole)) - LgammaOfPositive(1.0 - x));
}

// Recurrence up to 10, then the asymptotic series; in double, because the reflection formula loses
// digits by cancellation.
inline float Digamma(float value) {
  constexpr double kPi = 3.14159265358979323846;
  double x = value, reflected = 0.0;
  if (x <= 0.0) {
    if (x == std::floor(x)) return kNaN;  // poles, and -infinity
    reflected = kPi / std::tan(kPi * (x - std::floor(x)));
    x = 1.0 - x;
  }
  if (value == kInf) return kInf;
  double below = 0.0;
  for (; x < 10.0; x += 1.0) below += 1.0 / x;
  const double z = 1.0 / (x * x);
  const double series = z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240))));
  return static_cast<float>(std::log(x) - 0.5 / x - series - below - reflected);
}

inline double Polynomial(const double* c, int count, double x) {
  double sum = c[0];
  for (int i = 1; i < count; ++i) sum = sum * x + c[i];
  return sum;
}

// M. Giles, Approximating the erfinv function (GPU Computing Gems, 2011): single precision.
inline float Erfinv(float value) {
  constexpr double kCentre[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                -0.00417768164,  0.246640727,    1.50140941};
  constexpr double kTail[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                              -0.00367342844,  0.00573950773,  -0.0076224613,
                              0.00943887047,   1.00167406,     2.83297682};
  const double x = value;
  if (!(std::fabs(x) < 1.0)) return std::fabs(x) == 1.0 ? std::copysign(kInf, value) : kNaN;
  const double w = -std::log1p(-x * x);
  const double p =
      w < 5.0 ? Polynomial(kCentre, 9, w - 2.5) : Polynomial(kTail, 9, std::sqrt(w) - 3);
  return static_cast<float>(p * x);
}

}  // namespace f
}  // namespace

#define LINNET_DEFINE(name)                                             \
  void Unary##name(const float* in, int64_t count, float, float* out) { \
    for (int64_t k = 0; k < count; ++k) out[k] = f::name(in[k]);        \
  }
LINNET_UNARY_F32_SPECIAL(LINNET_DEFINE)
#undef LINNET_DEFINE

}  // namespace linnet::kernels
