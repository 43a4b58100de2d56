// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.
//
// Elementary functions of a vector, without tables. A branch only skips what no lane needs, so that
// a lane has the same bits beside any others. They treat infinities, NaN and, unless noted,
// subnormals as IEEE functions do, and keep their accuracy when the CPU flushes subnormals to zero.
// tests/runtime/kernels/vector_math_test.cc checks their largest errors.

namespace linnet::LINNET_ISA {

inline constexpr float kInf = __builtin_inff();
inline constexpr float kNaN = __builtin_nanf("");
inline constexpr float kSmallestNormal = 0x1p-126f, kLargest = 0x1.fffffep127f;
inline constexpr float kLog2E = 1.442695041f;
inline constexpr float kLn2 = 0.693147182f;
inline constexpr float kLn2Hi = 0.693359375f;  // few bits, so that k * kLn2Hi is exact
inline constexpr float kLn2Lo = -2.12194440e-4f;

// c[0] + c[1] x + c[2] x^2 ..., computed in pairs of powers, which halves the chain of dependent
// operations.
template <int n>
LINNET_INLINE Vec Polynomial(Vec x, const float (&c)[n]) {
  constexpr int kTop = (n - 1) / 2 * 2;
  const Vec square = x * x;
  Vec p = Broadcast<Vec>(c[kTop]);
  if constexpr (kTop < n - 1) p = MulAdd(x, Broadcast<Vec>(c[kTop + 1]), p);
  LINNET_UNROLL for (int i = kTop - 2; i >= 0; i -= 2) {
    const Vec pair = MulAdd(x, Broadcast<Vec>(c[i + 1]), Broadcast<Vec>(c[i]));
    p = MulAdd(p, square, pair);
  }
  return p;
}

// x = n ln 2 + r with |r| <= ln 2 / 2. The lowest 9 bits of `exponent` are n + bias, the others are
// arbitrary: shifted left by 23 it is the float 2^(n + bias - 127).
struct ReducedByLn2 {
  LINNET_INLINE Vec PowerOfTwo() const { return AsFloats(exponent << 23); }
  BitsVec exponent;
  Vec r;
};

enum class Reduction { kExact, kQuick };  // kQuick: r may be off by n * 2e-9

template <Reduction kind, int bias>
LINNET_INLINE ReducedByLn2 ReduceByLn2(Vec x) {
  // Adding 1.5 * 2^23 leaves the nearest integer in the low bits of the sum.
  const Vec magic = Broadcast<Vec>(12582912.0f + bias);
  const Vec shifted = MulAdd(x, Broadcast<Vec>(kLog2E), magic);
  const Vec k = shifted - magic;
  if constexpr (kind == Reduction::kQuick && kMulAddRoundsOnce)
    return {AsBits(shifted), MulAdd(k, Broadcast<Vec>(-kLn2), x)};
  const Vec r = MulAdd(k, Broadcast<Vec>(-kLn2Hi), x);
  return {AsBits(shifted), MulAdd(k, Broadcast<Vec>(-kLn2Lo), r)};
}

LINNET_INLINE Vec Exp(Vec x) {
  x = ClampTo(x, Broadcast<Vec>(-104.5f), Broadcast<Vec>(89.0f));
  const auto [exponent, r] = ReduceByLn2<Reduction::kExact, 2 * 127>(x);
  const Vec p = MulAdd(Polynomial(r, {4.999999404e-01f, 1.666651964e-01f, 4.166839644e-02f,
                                      8.368785493e-03f, 1.381445560e-03f}),
                       r * r, 1.0f + r);
  // 2^n as two factors: a single one would overflow for n = 128 and cannot give subnormal results.
  const BitsVec half = exponent >> 1;
  return p * AsFloats(half << 23) * AsFloats((exponent - half) << 23);
}

// factor * power, of which power is a power of two.
struct ScaledExp {
  LINNET_INLINE Vec value() const { return factor * power; }
  LINNET_INLINE Vec PlusOne() const { return MulAdd(factor, power, Broadcast<Vec>(1.0f)); }
  Vec factor, power;
};

// exp(x) for sums and denominators, less accurate: relative error 4e-7 at the ends of the range, 0
// instead of subnormal results, infinity from 2^127.5 on. For x <= 89.
LINNET_INLINE ScaledExp QuickExpUpTo89(Vec x) {
  const ReducedByLn2 a = ReduceByLn2<Reduction::kQuick, 127>(AtLeast(Broadcast<Vec>(-88.0f), x));
  const Vec p =
      Polynomial(a.r, {4.999923110e-01f, 1.666711569e-01f, 4.189033061e-02f, 8.312501013e-03f});
  return {MulAdd(p, a.r * a.r, 1.0f + a.r), a.PowerOfTwo()};
}
// The same for all x.
LINNET_INLINE ScaledExp QuickExp(Vec x) { return QuickExpUpTo89(AtMost(Broadcast<Vec>(89.0f), x)); }

// exp(x) - 1, accurate near 0.
LINNET_INLINE Vec Expm1(Vec x) {
  x = ClampTo(x, Broadcast<Vec>(-80.0f), Broadcast<Vec>(89.0f));
  const ReducedByLn2 a = ReduceByLn2<Reduction::kExact, 126>(x);
  const Vec p = Polynomial(a.r, {0.5f, 1.666666567e-01f, 4.166635871e-02f, 8.333389647e-03f,
                                 1.394072780e-03f, 1.984588598e-04f});
  // 2^(n-1), so that n = 128 does not overflow before the end.
  const Vec half = a.PowerOfTwo();
  return MulAdd(half, MulAdd(p, a.r * a.r, a.r), half - 0.5f) * 2.0f;
}

// The same for x <= 0, but faster; undefined for other x.
LINNET_INLINE Vec Expm1OfNegative(Vec x) {
  const Vec low = Broadcast<Vec>(-18.0f);
  const ReducedByLn2 a = ReduceByLn2<Reduction::kQuick, 127>(AtLeast(low, x));
  const Vec p = Polynomial(a.r, {4.999999702e-01f, 1.666654348e-01f, 4.166720062e-02f,
                                 8.366547525e-03f, 1.388251665e-03f});
  const Vec power = a.PowerOfTwo();
  return MulAdd(power, MulAdd(p, a.r * a.r, a.r), power - 1.0f);
}

// log((1 + f) 2^k) for 1 + f in [sqrt(1/2), sqrt(2)).
LINNET_INLINE Vec LogOfReduced(Vec f, Vec k) {
  Vec p = Polynomial(f, {3.333333135e-01f, -2.500081956e-01f, 2.000122666e-01f, -1.662335694e-01f,
                         1.420175880e-01f, -1.316018254e-01f, 1.276157498e-01f, -7.634492964e-02f});
  const Vec square = f * f;
  p = MulAdd(p * f, square, k * kLn2Lo);
  return MulAdd(k, Broadcast<Vec>(kLn2Hi), f + MulAdd(square, Broadcast<Vec>(-0.5f), p));
}

// The k of x = (1 + f) 2^k with 1 + f in [sqrt(1/2), sqrt(2)), for normal x > 0.
LINNET_INLINE IntVec ExponentAroundOne(Vec x) {
  return reinterpret_cast<IntVec>(AsBits(x) - 0x3f3504f3u) >> 23;
}
// x / 2^k where neither is subnormal nor too large for a float, and x itself for k = 0.
LINNET_INLINE Vec DivideByPower(Vec x, IntVec k) {
  return AsFloats(AsBits(x) - (reinterpret_cast<BitsVec>(k) << 23));
}

// log(x), for which `y` is right if x is positive and finite.
LINNET_INLINE Vec LogOrSpecial(Vec x, Vec y) {
#if LINNET_ISA_AVX512
  // For what x is, from the lowest digit: a NaN twice, 0, 1, -inf, inf, negative, positive. The
  // results: 2 that NaN, 4 -inf, 0 y, 3 a NaN, 5 inf.
  return _mm512_fixupimm_ps(y, x, _mm512_set1_epi32(0x03530422), 0);
#else
  y = x < kInf ? y : x;  // inf and NaN
  y = x < 0.0f ? Broadcast<Vec>(kNaN) : y;
  return x == 0.0f ? Broadcast<Vec>(-kInf) : y;
#endif
}

// Whether all lanes are positive, normal and finite, so that a logarithm needs no choices by lane:
// three operations in place of five choices, each of which takes up to three.
LINNET_INLINE bool AllPositiveNormals(Vec x) {
  return AllEqual(ClampTo(x, Broadcast<Vec>(kSmallestNormal), Broadcast<Vec>(kLargest)), x);
}

LINNET_INLINE Vec Log(Vec x) {
  const bool ordinary = AllPositiveNormals(x);
  Vec normal = x, shift = Broadcast<Vec>(0.0f);
  if (!ordinary) [[unlikely]] {
    const auto subnormal = x < kSmallestNormal;
    normal = subnormal ? x * 0x1p23f : x;
    shift = subnormal ? Broadcast<Vec>(23.0f) : shift;
  }
  const IntVec exponent = ExponentAroundOne(normal);
  const Vec k = __builtin_convertvector(exponent, Vec) - shift;
  const Vec y = LogOfReduced(DivideByPower(normal, exponent) - 1.0f, k);
  if (ordinary) [[likely]]
    return y;
  return LogOrSpecial(x, y);
}

// log(1 + x), accurate near 0.
LINNET_INLINE Vec Log1p(Vec x) {
  const Vec u = 1.0f + x, one = Broadcast<Vec>(1.0f);
  const IntVec exponent = ExponentAroundOne(u);
  // (1 + x) / 2^k - 1 without the rounding of 1 + x. Where 1 / 2^k is subnormal, 0 does.
  const Vec power = AtLeast(Broadcast<Vec>(0.0f), DivideByPower(one, exponent));
  const Vec f = DivideByPower(x, exponent) + (power - one);
  const Vec y = CopySign(LogOfReduced(f, __builtin_convertvector(exponent, Vec)), x);  // -0 for -0
  if (AllPositiveNormals(u)) [[likely]]
    return y;
  return LogOrSpecial(u, y);
}

// log(1 + exp(x)) as max(x, 0) + log(1 + exp(-|x|)); 0 instead of subnormal results.
LINNET_INLINE Vec Softplus(Vec x) {
  const Vec t = QuickExpUpTo89(MinusAbs(x)).value();
  const Vec p =
      Polynomial(t, {-4.999964833e-01f, 3.332132399e-01f, -2.485716343e-01f, 1.915365458e-01f,
                     -1.375380307e-01f, 7.920453697e-02f, -3.006579168e-02f, 5.364824552e-03f});
  return AtLeast(Broadcast<Vec>(0.0f), x) + MulAdd(p, t * t, t);  // propagates NaN from x
}

LINNET_INLINE Vec Tanh(Vec x) {
  const Vec t = AtMost(Broadcast<Vec>(9.0f), Abs(x));  // from 9 on tanh rounds to 1
  const Vec s = t * t;
  // tanh(t) = (t + t s p(s)) / q(s)
  const Vec p =
      Polynomial(s, {1.338102549e-01f, 3.495587973e-03f, 2.060908036e-05f, 1.335465950e-08f});
  const Vec q =
      Polynomial(s, {1.0f, 4.671434108e-01f, 2.587698156e-02f, 3.285634594e-04f, 7.776557349e-07f});
  return CopySign(AtMost(Broadcast<Vec>(1.0f), MulAdd(t * s, p, t) / q), x);
}

// 1 / (1 + exp(-x)); 0 for results below 2^-127.5.
LINNET_INLINE Vec Sigmoid(Vec x) { return 1.0f / QuickExp(-x).PlusOne(); }
// x / (1 + exp(-x))
LINNET_INLINE Vec Swish(Vec x) { return x / QuickExp(-x).PlusOne(); }

LINNET_INLINE Vec Erf(Vec x) {
  const Vec t = AtMost(Broadcast<Vec>(4.0f), Abs(x));  // from 4 on erf rounds to 1
  const Vec s = t * t;
  // erf(t) = (t + t p(s)) / q(s)
  const Vec p = Polynomial(s, {1.283791363e-01f, 1.935446709e-01f, 5.310169980e-02f,
                               3.883330617e-03f, 2.845661948e-04f, 1.986792086e-06f});
  const Vec q = Polynomial(s, {1.0f, 5.048570633e-01f, 1.153498441e-01f, 1.520722173e-02f,
                               1.185569097e-03f, 3.742029367e-05f});
  return CopySign(AtMost(Broadcast<Vec>(1.0f), MulAdd(t, p, t) / q), x);
}

// Nearest integer, halves to even.
LINNET_INLINE Vec Round(Vec x) {
  constexpr float kWhole = 0x1p23f;  // every float from here on is an integer
  const Vec t = Abs(x);
  return t < kWhole ? CopySign((t + kWhole) - kWhole, x) : x;
}

LINNET_INLINE Vec Floor(Vec x) {
  const Vec r = Round(x);
  return r > x ? r - 1.0f : r;
}

LINNET_INLINE Vec Ceil(Vec x) {
  const Vec r = Round(x);
  return CopySign(r < x ? r + 1.0f : r, x);
}

}  // namespace linnet::LINNET_ISA
