// SPDX-License-Identifier: Apache-2.0
// Circular functions of four floats and their inverses; wants math.glsl. The polynomials are minimax fits, made for this file,
// with errors below 2e-8 relative to the result.

const float kPi = 3.14159265;
const float kHalfPi = 1.57079633;

// sin and cos of r in [-pi/4, pi/4]; cosine to pi/2 is not accurate.
vec4 SinOfReduced(vec4 r) {
  const vec4 z = r * r;
  return r + r * z * (-0.1666666666 + z * (0.008333331875 + z * (-0.0001984008674 + z * 2.72499258e-6)));
}
vec4 CosOfReduced(vec4 r) {
  const vec4 z = r * r;
  return 1.0 - 0.5 * z + z * z * (0.04166666466 + z * (-0.001388830304 + z * 2.454794209e-5));
}

// Bits of 2 / pi, behind 64 zeros.
const uint kTwoOverPi[9] =
    uint[9](0u, 0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu);

// t = quadrant pi/2 + r for finite t >= 0.5 (M. Payne, R. Hanek, Radian reduction for trigonometric functions, 1983): of the
// product of t's mantissa and 2/pi, only the bits between 2 and 2^-94 matter, and integers compute them exactly.
void ReduceByHalfPi(float t, out uint quadrant, out float r) {
  const uint bits = floatBitsToUint(t);
  const uint mantissa = (bits & 0x7fffffu) | 0x800000u;
  // t = mantissa 2^e; the window begins at the bit of 2/pi whose weight is 2^(2-e-1), which is 62 + e bits behind the table's
  // start.
  const uint begin = (bits >> 23) - 150u + 62u;
  const uint word = begin >> 5, shift = begin & 31u;
  uint window[3];
  for (uint i = 0u; i < 3u; ++i) {
    const uint first = kTwoOverPi[word + i], next = kTwoOverPi[word + i + 1u];
    window[i] = shift == 0u ? first : first << shift | next >> (32u - shift);
  }
  uint low_high, low_low, mid_high, mid_low, carry, unused;
  umulExtended(mantissa, window[2], low_high, low_low);
  umulExtended(mantissa, window[1], mid_high, mid_low);
  const uint middle = uaddCarry(low_high, mid_low, carry);
  const uint top = mid_high + mantissa * window[0] + carry;
  quadrant = ((top + 0x20000000u) >> 30) & 3u;
  // The fraction behind the quadrant, from -1/2 to 1/2, in 64 bits.
  uint high = top << 2 | middle >> 30, low = middle << 2 | low_low >> 30;
  const bool negative = high >= 0x80000000u;
  if (negative) {
    low = ~low + 1u;
    high = ~high + (low == 0u ? 1u : 0u);
  }
  const float fraction = float(high) * 2.3283064365386963e-10 + float(low) * 5.421010862427522e-20;
  r = (negative ? -fraction : fraction) * kHalfPi;
}

// sin(x) and cos(x); NaN for infinity.
void SinCos(vec4 x, out vec4 sine, out vec4 cosine) {
  const vec4 t = abs(x);
  uvec4 quadrant = uvec4(0u);
  vec4 r = t;
  for (int lane = 0; lane < 4; ++lane) {
    uint q = 0u;
    float reduced = t[lane];
    if (t[lane] >= 0.5 && t[lane] < INFINITY) ReduceByHalfPi(t[lane], q, reduced);
    quadrant[lane] = q;
    r[lane] = reduced;
  }
  const vec4 s = SinOfReduced(r), c = CosOfReduced(r);
  const bvec4 swapped = notEqual(quadrant & 1u, uvec4(0u));
  const uvec4 sine_sign = (quadrant & 2u) << 30, cosine_sign = ((quadrant + 1u) & 2u) << 30;
  sine = uintBitsToFloat(floatBitsToUint(mix(s, c, swapped)) ^ sine_sign ^ (floatBitsToUint(x) & 0x80000000u));
  cosine = uintBitsToFloat(floatBitsToUint(mix(c, s, swapped)) ^ cosine_sign);
  sine = mix(sine, vec4(NOT_A_NUMBER), IsInf(x));
  cosine = mix(cosine, vec4(NOT_A_NUMBER), IsInf(x));
}

// atan(t) for t in [0, 1].
vec4 AtanOfFraction(vec4 t) {
  const bvec4 large = greaterThan(t, vec4(0.414213562));
  // atan(t) = pi/4 + atan((t - 1) / (t + 1))
  const vec4 u = mix(t, (t - 1.0) / (t + 1.0), large);
  const vec4 z = u * u;
  const vec4 p = -0.3333333176 + z * (0.1999954048 + z * (-0.142639556 + z * (0.1074373149 + z * -0.06451928208)));
  return mix(vec4(0.0), vec4(0.785398163), large) + (u + u * z * p);
}

// The angle of the point (x, y). NaN when either is.
vec4 Atan2(vec4 y, vec4 x) {
  const vec4 a = abs(y), b = abs(x);
  const vec4 larger = max(a, b), smaller = min(a, b);
  vec4 t = smaller / larger;
  t = mix(t, vec4(0.0), equal(smaller, vec4(0.0)));  // 0/0 and x/infinity
  t = mix(t, vec4(0.0), IsInf(larger));
  t = mix(t, vec4(1.0), IsInf(smaller));
  vec4 angle = AtanOfFraction(t);
  angle = mix(angle, kHalfPi - angle, greaterThan(a, b));
  angle = mix(angle, kPi - angle, IsNegative(x));
  return KeepNan(x, KeepNan(y, CopySign(angle, y)));
}

vec4 Atan(vec4 x) { return Atan2(x, vec4(1.0)); }

// asin(t) for t in [0, 1/2].
vec4 AsinOfHalf(vec4 t) {
  const vec4 z = t * t;
  const vec4 p = 0.1666666634 + z * (0.07500094543 + z * (0.04459940153 + z * (0.03110066274 + z * (0.01714923836 +
                 z * 0.0336908472))));
  return t + t * z * p;
}

// Square root of x >= 0, also where Vulkan's is 1 / inversesqrt(0).
vec4 SquareRoot(vec4 x) { return mix(sqrt(x), vec4(0.0), equal(x, vec4(0.0))); }

// asin(t) = pi/2 - 2 asin(sqrt((1 - t) / 2)), for t above 1/2.
vec4 Asin(vec4 x) {
  const vec4 t = abs(x);
  const bvec4 large = greaterThan(t, vec4(0.5));
  const vec4 part = AsinOfHalf(mix(t, SquareRoot(max(0.5 - 0.5 * t, 0.0)), large));
  const vec4 y = CopySign(mix(part, kHalfPi - 2.0 * part, large), x);
  return mix(y, vec4(NOT_A_NUMBER), greaterThan(t, vec4(1.0)));
}

vec4 Acos(vec4 x) {
  const vec4 t = abs(x);
  const bvec4 large = greaterThan(t, vec4(0.5));
  const vec4 part = AsinOfHalf(mix(t, SquareRoot(max(0.5 - 0.5 * t, 0.0)), large));
  const vec4 near = mix(2.0 * part, kPi - 2.0 * part, IsNegative(x));
  const vec4 y = mix(kHalfPi - CopySign(part, x), near, large);
  return mix(y, vec4(NOT_A_NUMBER), greaterThan(t, vec4(1.0)));
}
