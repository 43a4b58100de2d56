// SPDX-License-Identifier: Apache-2.0
// Hyperbolic functions, their inverses, and functions of the gamma and error functions' families, of four floats; wants math.glsl and
// trigonometry.glsl. The polynomials are minimax fits, made for this file, unless a source is named.

// From 20 on the other exponential does not matter, and exp(x/2)^2 / 2 does not overflow too early.
vec4 HalfExp(vec4 t) {
  const vec4 root = Exp(0.5 * t);
  return 0.5 * root * root;
}

vec4 Sinh(vec4 x) {
  const vec4 t = abs(x);
  const vec4 e = Expm1(min(t, 20.0));
  return CopySign(mix(0.5 * (e + e / (e + 1.0)), HalfExp(t), greaterThan(t, vec4(20.0))), x);
}

vec4 Cosh(vec4 x) {
  const vec4 t = abs(x);
  const vec4 e = Exp(min(t, 20.0));
  return mix(0.5 * (e + 1.0 / e), HalfExp(t), greaterThan(t, vec4(20.0)));
}

vec4 Asinh(vec4 x) {
  const vec4 t = abs(x);
  const vec4 s = min(t, 4096.0);
  const vec4 small = Log1p(s + s * s / (1.0 + sqrt(1.0 + s * s)));
  return CopySign(mix(small, Log(t) + kLn2, greaterThan(t, vec4(4096.0))), x);
}

vec4 Acosh(vec4 x) {
  const vec4 above = min(x - 1.0, 4096.0);
  const vec4 small = Log1p(above + SquareRoot(max(above * (2.0 + above), 0.0)));
  const vec4 y = mix(small, Log(x) + kLn2, greaterThan(x, vec4(4096.0)));
  return mix(y, vec4(NOT_A_NUMBER), lessThan(x, vec4(1.0)));
}

vec4 Atanh(vec4 x) {
  const vec4 t = abs(x);
  const vec4 inside = min(t, 0.999999940);
  vec4 y = 0.5 * Log1p(2.0 * inside / (1.0 - inside));
  y = mix(y, vec4(INFINITY), equal(t, vec4(1.0)));
  return mix(CopySign(y, x), vec4(NOT_A_NUMBER), greaterThan(t, vec4(1.0)));
}

// exp(-t^2) R(t) / (1 + 2 t), R as a polynomial of (t - 2) / (t + 2); for t in [0.5, 10.2], behind which erfc rounds to 0.
vec4 ErfcTail(vec4 t) {
  const vec4 u = (t - 2.0) / (t + 2.0);
  const vec4 p = 1.276978373 + u * (-0.09276360004 + u * (-0.1660297281 + u * (0.1640431121 + u * (-0.05422674604 +
                 u * (-0.007952519864 + u * (0.00872869086 + u * (0.0009579061398 + u * -0.001362615143)))))));
  precise const vec4 square = t * t;
  const vec4 power = Exp(-square);
  return (power - power * Lost(t, t, square)) * p / (1.0 + 2.0 * t);
}

vec4 Erfc(vec4 x) {
  const vec4 t = abs(x);
  vec4 tail = ErfcTail(clamp(t, 0.5, 10.2));
  tail = mix(tail, vec4(0.0), greaterThan(t, vec4(10.2)));
  return mix(1.0 - Erf(x), mix(tail, 2.0 - tail, IsNegative(x)), greaterThan(t, vec4(0.5)));
}

// M. Giles, Approximating the erfinv function (GPU Computing Gems, 2011): single precision.
vec4 Erfinv(vec4 x) {
  const vec4 w = -Log1p(-x * x);
  const vec4 c = w - 2.5;
  const vec4 centre = 1.50140941 + c * (0.246640727 + c * (-0.00417768164 + c * (-0.00125372503 + c * (0.00021858087 +
                      c * (-4.39150654e-06 + c * (-3.5233877e-06 + c * (3.43273939e-07 + c * 2.81022636e-08)))))));
  const vec4 d = SquareRoot(max(w, 0.0)) - 3.0;
  const vec4 tail = 2.83297682 + d * (1.00167406 + d * (0.00943887047 + d * (-0.0076224613 + d * (0.00573950773 +
                    d * (-0.00367342844 + d * (0.00134934322 + d * (0.000100950558 + d * -0.000200214257)))))));
  vec4 y = mix(tail, centre, lessThan(w, vec4(5.0))) * x;
  y = mix(y, CopySign(vec4(INFINITY), x), equal(abs(x), vec4(1.0)));
  return mix(y, vec4(NOT_A_NUMBER), greaterThan(abs(x), vec4(1.0)));
}

// sin(pi t) and cos(pi t) for finite t >= 0, exactly 0 where they are.
void SinCosPi(vec4 t, out vec4 sine, out vec4 cosine) {
  const vec4 quarter = roundEven(2.0 * t);  // t = quarter / 2 + f, |f| <= 1/4
  precise const vec4 f = t - 0.5 * quarter;
  const vec4 s = SinOfReduced(kPi * f), c = CosOfReduced(kPi * f);
  // quarter modulo 4
  const vec4 part = quarter - 4.0 * floor(0.25 * quarter);
  const bvec4 swapped = equal(part - 2.0 * floor(0.5 * part), vec4(1.0));
  sine = mix(s, c, swapped) * mix(vec4(1.0), vec4(-1.0), greaterThanEqual(part, vec4(2.0)));
  const bvec4 left = lessThan(abs(part - 1.5), vec4(1.0));  // 1 and 2
  cosine = mix(c, s, swapped) * mix(vec4(1.0), vec4(-1.0), left);
}

// log(gamma(t)) for t > 0: on [1, 2] as (t - 1) (t - 2) p(t - 1.5), elsewhere below 8 by the recurrence, then Stirling's series.
vec4 LgammaOfPositive(vec4 t) {
  const bvec4 small = lessThan(t, vec4(8.0));
  vec4 u = mix(vec4(1.5), t, small);
  const bvec4 below_1 = lessThan(u, vec4(1.0));
  const vec4 shift = -mix(vec4(0.0), Log(u), below_1);
  // u below 1 becomes 1 + u, but what follows needs u - 1 and u - 2 with the digits of u.
  vec4 product = vec4(1.0);
  precise vec4 v = u;
  for (int i = 0; i < 6; ++i) {
    const bvec4 above_2 = greaterThan(v, vec4(2.0));
    v = mix(v, v - 1.0, above_2);
    product *= mix(vec4(1.0), v, above_2);
  }
  precise const vec4 first = mix(v - 1.0, v, below_1);
  precise const vec4 second = mix(v - 2.0, v - 1.0, below_1);
  precise const vec4 c = mix(v - 1.5, v - 0.5, below_1);
  const vec4 p = 0.4831289523 + c * (-0.145959897 + c * (0.06291105386 + c * (-0.03130827317 + c * (0.01680809775 +
                 c * (-0.009432411479 + c * (0.005325991991 + c * (-0.003137736412 + c * (0.002446744656 +
                 c * -0.001487484341))))))));
  const vec4 by_recurrence = first * second * p + Log(product) + shift;
  const vec4 w = max(t, 8.0), z = 1.0 / (w * w);
  const vec4 log_w = Log(w);
  // (w - 1/2) log w - w as w (log w - 1) - (log w) / 2, whose first term overflows only where the result does.
  const vec4 stirling = w * (log_w - 1.0) + (0.918938533 - 0.5 * log_w + (0.0833333333 - z * 0.00277777778) / w);
  return mix(stirling, by_recurrence, small);
}

vec4 Lgamma(vec4 x) {
  const vec4 t = abs(x);
  const vec4 positive = LgammaOfPositive(t);
  vec4 s, c;
  SinCosPi(min(t, 16777216.0), s, c);
  // gamma(t) gamma(-t) = -pi / (t sin(pi t))
  vec4 reflected = 1.14472989 - Log(t) - Log(abs(s)) - positive;
  vec4 y = mix(positive, reflected, IsNegative(x));
  // Poles: 0 and negative integers.
  y = mix(y, vec4(INFINITY), equal(t, vec4(0.0)));
  y = mix(y, vec4(INFINITY), IsInf(x));
  return mix(y, vec4(INFINITY), bvec4(uvec4(IsNegative(x)) & uvec4(equal(floor(t), t))));
}

// By the recurrence up to 4, then the asymptotic series.
vec4 DigammaOfPositive(vec4 t) {
  vec4 w = t, below = vec4(0.0);
  for (int i = 0; i < 4; ++i) {
    const bvec4 small = lessThan(w, vec4(4.0));
    below += mix(vec4(0.0), 1.0 / w, small);
    w = mix(w, w + 1.0, small);
  }
  const vec4 z = 1.0 / (w * w);
  const vec4 series = z * (0.0833333333 - z * (0.00833333333 - z * (0.00396825397 - z * (0.00416666667 - z * 0.00757575758))));
  return Log(w) - 0.5 / w - series - below;
}

vec4 Digamma(vec4 x) {
  const vec4 t = abs(x);
  const vec4 positive = DigammaOfPositive(t);
  vec4 s, c;
  SinCosPi(min(t, 16777216.0), s, c);
  // digamma(-t) = digamma(t) + 1/t + pi cos(pi t) / sin(pi t)
  vec4 y = mix(positive, positive + 1.0 / t + kPi * c / s, IsNegative(x));
  y = mix(y, x, equal(floatBitsToUint(x), uvec4(0x7f800000u)));
  // Poles: 0 and negative integers, minus infinity among them.
  const bvec4 pole = bvec4(uvec4(equal(floor(t), t)) & (uvec4(IsNegative(x)) | uvec4(equal(t, vec4(0.0)))));
  return mix(y, vec4(NOT_A_NUMBER), pole);
}
