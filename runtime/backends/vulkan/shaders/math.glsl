// SPDX-License-Identifier: Apache-2.0
// Elementary functions of four floats. Vulkan promises few correct digits for its own (exp, log, pow, tanh, atan), and nothing
// for infinity and NaN; these are accurate to a few units in the last place, and treat infinity as IEEE functions do. What they
// give for NaN is arbitrary: callers put NaN back with KeepNan.
//
// The formulas and coefficients are those of runtime/kernels/vector_math_inl.h: reduction by ln 2 and minimax polynomials.
// `precise` where rounding errors must cancel, so that a compiler does not simplify them away.

const float kLog2E = 1.442695041;
const float kLn2 = 0.693147182;
const float kLn2Hi = 0.693359375;  // few bits, so that small integers times it are exact
const float kLn2Lo = -2.12194440e-4;
#define INFINITY uintBitsToFloat(0x7f800000u)
#define NOT_A_NUMBER uintBitsToFloat(0x7fc00000u)

bvec4 IsInf(vec4 x) { return equal(floatBitsToUint(x) & 0x7fffffffu, uvec4(0x7f800000u)); }
bvec4 IsNegative(vec4 x) { return notEqual(floatBitsToUint(x) & 0x80000000u, uvec4(0u)); }

// Not by masks: behind convolutions lavapipe (Mesa 22.3.6 on a CPU with AVX-512) then gives wrong signs to a few elements of tanh.
vec4 CopySign(vec4 magnitude, vec4 sign) { return mix(abs(magnitude), -abs(magnitude), IsNegative(sign)); }

// x 2^n for n in -252..254, as two factors: a single one could overflow, and cannot give subnormal results.
vec4 TimesPowerOfTwo(vec4 x, ivec4 n) {
  const ivec4 half_n = n >> 1;
  return x * intBitsToFloat((half_n + 127) << 23) * intBitsToFloat((n - half_n + 127) << 23);
}

// x = n ln 2 + r with |r| <= ln 2 / 2.
void ReduceByLn2(vec4 x, out vec4 n, out vec4 r) {
  n = roundEven(x * kLog2E);
  precise const vec4 high = n * kLn2Hi;
  precise const vec4 above = x - high;
  precise const vec4 low = n * kLn2Lo;
  precise const vec4 rest = above - low;
  r = rest;
}

// What `product` = a * b lost by rounding. fma(a, b, -product) would be that, but devices may round in it. Products of halves of
// the digits are exact (T. Dekker, A floating-point technique for extending the available precision, 1971).
vec4 Lost(vec4 a, vec4 b, vec4 product) {
  const vec4 a_high = uintBitsToFloat(floatBitsToUint(a) & 0xfffff000u), b_high = uintBitsToFloat(floatBitsToUint(b) & 0xfffff000u);
  precise const vec4 a_low = a - a_high;
  precise const vec4 b_low = b - b_high;
  precise const vec4 first = a_high * b_high;
  precise const vec4 rest = first - product;
  precise const vec4 inner = a_high * b_low + a_low * b_high;
  precise const vec4 sum = rest + inner;
  precise const vec4 lost = sum + a_low * b_low;
  return lost;
}

vec4 Exp(vec4 x) {
  vec4 n, r;
  ReduceByLn2(clamp(x, -104.5, 89.0), n, r);
  const vec4 p = 4.999999404e-01 + r * (1.666651964e-01 + r * (4.166839644e-02 + r * (8.368785493e-03 + r * 1.381445560e-03)));
  return TimesPowerOfTwo(1.0 + (r + p * r * r), ivec4(n));
}

// exp(x) - 1, accurate near 0.
vec4 Expm1(vec4 x) {
  vec4 n, r;
  ReduceByLn2(clamp(x, -80.0, 89.0), n, r);
  const vec4 p = 0.5 + r * (1.666666567e-01 + r * (4.166635871e-02 + r * (8.333389647e-03 + r * (1.394072780e-03 +
                 r * 1.984588598e-04))));
  // 2^(n-1), so that n = 128 does not overflow before the end.
  precise const vec4 half_power = intBitsToFloat((ivec4(n) + 126) << 23);
  precise const vec4 shifted = half_power - 0.5;
  return fma(half_power, fma(p, r * r, r), shifted) * 2.0;
}

// log(1 + f) - f for 1 + f in [sqrt(1/2), sqrt(2)).
vec4 LogTail(vec4 f) {
  const vec4 p = 3.333333135e-01 + f * (-2.500081956e-01 + f * (2.000122666e-01 + f * (-1.662335694e-01 +
                 f * (1.420175880e-01 + f * (-1.316018254e-01 + f * (1.276157498e-01 + f * -7.634492964e-02))))));
  return f * f * (p * f - 0.5);
}

// x = (1 + f) 2^k for finite x > 0, 1 + f in [sqrt(1/2), sqrt(2)). Subnormal numbers are read as integers, because devices may
// flush them to 0.
void SplitLog(vec4 x, out vec4 f, out vec4 k) {
  const uvec4 bits = floatBitsToUint(x);
  const bvec4 subnormal = lessThan(bits, uvec4(0x00800000u));
  const uvec4 normal = mix(bits, floatBitsToUint(vec4(bits)), subnormal);
  const ivec4 e = ivec4(normal - 0x3f3504f3u) >> 23;
  f = uintBitsToFloat(normal - (uvec4(e) << 23)) - 1.0;
  k = vec4(e) - mix(vec4(0.0), vec4(149.0), subnormal);
}

// `y`, the logarithm of finite x > 0, with the values for all other x but NaN.
vec4 WithLogEdges(vec4 x, vec4 y) {
  const uvec4 bits = floatBitsToUint(x);
  y = mix(y, x, equal(bits, uvec4(0x7f800000u)));
  y = mix(y, vec4(NOT_A_NUMBER), IsNegative(x));
  return mix(y, vec4(-INFINITY), equal(bits & 0x7fffffffu, uvec4(0u)));
}

vec4 Log(vec4 x) {
  vec4 f, k;
  SplitLog(x, f, k);
  return WithLogEdges(x, fma(k, vec4(kLn2Hi), f + fma(k, vec4(kLn2Lo), LogTail(f))));
}

// log(1 + x), accurate near 0.
vec4 Log1p(vec4 x) {
  precise const vec4 u = 1.0 + x;
  // The rounding error of u, for a first-order correction.
  precise const vec4 above = u - x;
  precise const vec4 lost_above = 1.0 - above;
  precise const vec4 step_below = u - 1.0;
  precise const vec4 lost_below = x - step_below;
  const vec4 lost = mix(lost_below, lost_above, greaterThan(x, vec4(1.0)));
  const vec4 log_u = Log(u);
  // When u is infinite, 0 or negative, there is no correction. When u is 1, x itself is the best result.
  const vec4 y = mix(log_u, log_u + lost / u, lessThan(abs(log_u), vec4(200.0)));
  return mix(y, x, equal(u, vec4(1.0)));
}

// log(1 + exp(x))
vec4 Softplus(vec4 x) { return mix(vec4(0.0), x, greaterThan(x, vec4(0.0))) + Log1p(Exp(-abs(x))); }

vec4 Tanh(vec4 x) {
  const vec4 t = min(abs(x), 9.0);  // from 9 on tanh rounds to 1
  const vec4 s = t * t;
  // tanh(t) = (t + t s p(s)) / q(s)
  const vec4 p = 1.338102549e-01 + s * (3.495587973e-03 + s * (2.060908036e-05 + s * 1.335465950e-08));
  const vec4 q = 1.0 + s * (4.671434108e-01 + s * (2.587698156e-02 + s * (3.285634594e-04 + s * 7.776557349e-07)));
  return CopySign(min((t + t * s * p) / q, 1.0), x);
}

vec4 Erf(vec4 x) {
  const vec4 t = min(abs(x), 4.0);  // from 4 on erf rounds to 1
  const vec4 s = t * t;
  // erf(t) = (t + t p(s)) / q(s)
  const vec4 p = 1.283791363e-01 + s * (1.935446709e-01 + s * (5.310169980e-02 + s * (3.883330617e-03 + s * (2.845661948e-04 +
                 s * 1.986792086e-06))));
  const vec4 q = 1.0 + s * (5.048570633e-01 + s * (1.153498441e-01 + s * (1.520722173e-02 + s * (1.185569097e-03 +
                 s * 3.742029367e-05))));
  return CopySign(min((t + t * p) / q, 1.0), x);
}

// a^b as C's pow. The logarithm has two parts, because an error in it grows by b times the logarithm.
vec4 Pow(vec4 a, vec4 b) {
  const vec4 base = abs(a);
  vec4 f, k;
  SplitLog(base, f, k);
  precise const vec4 whole = k * kLn2Hi;
  precise const vec4 sum = whole + f;  // |whole| > |f| or whole is 0
  precise const vec4 sum_above = sum - whole;
  precise const vec4 sum_lost = f - sum_above;
  precise const vec4 tail = sum_lost + fma(k, vec4(kLn2Lo), LogTail(f));
  precise const vec4 high = sum + tail;
  precise const vec4 high_above = high - sum;
  precise const vec4 low = tail - high_above;
  const vec4 log_base = WithLogEdges(base, high);
  precise const vec4 product = b * log_base;
  precise const vec4 error = Lost(b, log_base, product) + b * low;
  const vec4 power = Exp(product);
  vec4 y = mix(power, power + power * error, lessThan(abs(product), vec4(88.7)));
  const bvec4 base_is_1 = equal(base, vec4(1.0));
  y = mix(y, vec4(1.0), base_is_1);
  // Integers from 2^24 on are even, and so is infinity.
  const bvec4 is_whole = equal(floor(b), b);
  const vec4 half_b = b * 0.5;
  const bvec4 is_odd = lessThan(abs(b), vec4(16777216.0));
  for (int lane = 0; lane < 4; ++lane) {
    const bool negative = IsNegative(a)[lane];
    const bool odd = is_odd[lane] && is_whole[lane] && floor(half_b[lane]) != half_b[lane];
    if (negative && odd) y[lane] = -y[lane];
    if (a[lane] < 0.0 && !is_whole[lane] && !IsInf(a)[lane]) y[lane] = NOT_A_NUMBER;
    if (IsNan(a)[lane] || IsNan(b)[lane]) y[lane] = NOT_A_NUMBER;
    if (b[lane] == 0.0 && !IsNan(b)[lane]) y[lane] = 1.0;
    if (a[lane] == 1.0 && !IsNan(a)[lane]) y[lane] = 1.0;
  }
  return y;
}
