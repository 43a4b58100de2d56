// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h. Sine, cosine and tangent. Their errors are checked
// as those of vector_math_inl.h.

namespace linnet::LINNET_ISA {

// Larger angles are left to the C library, lane by lane: their multiple of pi / 2 has too many
// bits.
inline constexpr float kLargestAngle = 0x1p17f;

// |x| = n pi / 2 + r with |r| <= pi / 4 and 0.0026 more, as n is rounded from a product in float.
// The lowest bits of `quadrant` are those of n. Undefined beyond kLargestAngle.
struct ReducedByHalfPi {
  LINNET_INLINE explicit ReducedByHalfPi(Vec x) {
    const Vec magnitude = Abs(x), magic = Broadcast<Vec>(12582912.0f);  // 1.5 * 2^23
    const Vec shifted = MulAdd(magnitude, Broadcast<Vec>(0.636619747f), magic);
    const Vec n = shifted - magic;
    quadrant = AsBits(shifted);
    if constexpr (kMulAddRoundsOnce) {
      // pi / 2 in three parts of 24 bits. The first difference is exact, because both terms are
      // multiples of 2^-24 and it is less than 1.
      r = MulAdd(n, Broadcast<Vec>(-0x1.921fb6p+0f), magnitude);
      r = MulAdd(n, Broadcast<Vec>(0x1.777a5cp-25f), r);
      r = MulAdd(n, Broadcast<Vec>(0x1.ee59dap-50f), r);
    } else {
      // In doubles: n times the first part, of 33 bits, is exact.
      for (int i = 0; i < kLanes; ++i) {
        const double rest = magnitude[i] - n[i] * 0x1.921fb544p+0;
        r[i] = static_cast<float>(rest - n[i] * 0x1.0b4611a626331p-34);
      }
    }
  }

  LINNET_INLINE Vec Sin() const {
    const Vec s = r * r;
    return MulAdd(Polynomial(s, {-1.666665375e-01f, 8.332131431e-03f, -1.951083977e-04f}), s * r,
                  r);
  }
  LINNET_INLINE Vec Cos() const {
    const Vec s = r * r;
    return MulAdd(Polynomial(s, {4.166664556e-02f, -1.388725126e-03f, 2.442568075e-05f}), s * s,
                  1.0f - 0.5f * s);
  }

  Vec r;
  BitsVec quadrant;
};

// One loop serves the three functions.
struct SineFunction {
  LINNET_INLINE Vec operator()(Vec x) const {
    const ReducedByHalfPi a(x);
    const BitsVec n = a.quadrant + quadrant;
    const Vec sin = a.Sin(), cos = a.Cos();
    const auto odd = (n & 1u) != 0u;
    Vec y = odd ? cos : sin;
    if (is_quotient) y /= odd ? sin : cos;
    y = AsFloats(AsBits(y) ^ (((n << sign_shift) & 0x80000000u) ^ (AsBits(x) & sign)));
    const Vec magnitude = Abs(x);
    if (AllEqual(AtMost(Broadcast<Vec>(kLargestAngle), magnitude), magnitude)) [[likely]]
      return y;
    return WithLargeAngles(x, y);
  }

  // Lane by lane, so that an element gives the same bits beside any others.
  [[gnu::noinline]] Vec WithLargeAngles(Vec x, Vec y) const {
    float angles[kLanes], results[kLanes];
    Store(angles, x);
    Store(results, y);
    LINNET_KEEP_LOOP for (int i = 0; i < kLanes; ++i) {
      if (!(__builtin_fabsf(angles[i]) <= kLargestAngle)) results[i] = library(angles[i]);
    }
    return Load<Vec>(results);
  }

  float (*library)(float);
  uint32_t quadrant = 0;       // 1 for the cosine: a sine a quarter of a turn later
  uint32_t sign = 0x80000000;  // 0 for the cosine: the others are odd
  int sign_shift = 30;         // from the bit of the quadrant that negates to that of the sign
  bool is_quotient = false;    // the tangent: sine over cosine
};

void Sines(const SineFunction& sine, const float* in, int64_t count, float* out) {
  MapLong(sine, count, out, in);
}

void UnarySin(const float* in, int64_t count, float, float* out) {
  Sines({.library = sinf}, in, count, out);
}
void UnaryCos(const float* in, int64_t count, float, float* out) {
  Sines({.library = cosf, .quadrant = 1, .sign = 0}, in, count, out);
}
void UnaryTan(const float* in, int64_t count, float, float* out) {
  Sines({.library = tanf, .sign_shift = 31, .is_quotient = true}, in, count, out);
}

}  // namespace linnet::LINNET_ISA
