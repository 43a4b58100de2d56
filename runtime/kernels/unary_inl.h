// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.

namespace linnet::LINNET_ISA {

// The functions of the kinds, with their names.
namespace unary {

LINNET_INLINE Vec Abs(Vec x, Vec) { return LINNET_ISA::Abs(x); }
LINNET_INLINE Vec Neg(Vec x, Vec) { return -x; }
LINNET_INLINE Vec Sign(Vec x, Vec) {
  const Vec zero = Broadcast<Vec>(0.0f);
  const Vec sign = (x > 0.0f ? zero + 1.0f : zero) - (x < 0.0f ? zero + 1.0f : zero);
  return x == x ? sign : x;
}
LINNET_INLINE Vec Square(Vec x, Vec) { return x * x; }
LINNET_INLINE Vec Reciprocal(Vec x, Vec) { return 1.0f / x; }
LINNET_INLINE Vec Sqrt(Vec x, Vec) { return SquareRoot(x); }
LINNET_INLINE Vec Rsqrt(Vec x, Vec) { return 1.0f / SquareRoot(x); }
LINNET_INLINE Vec Exp(Vec x, Vec) { return LINNET_ISA::Exp(x); }
LINNET_INLINE Vec Expm1(Vec x, Vec) { return LINNET_ISA::Expm1(x); }
LINNET_INLINE Vec Log(Vec x, Vec) { return LINNET_ISA::Log(x); }
LINNET_INLINE Vec Log1p(Vec x, Vec) { return LINNET_ISA::Log1p(x); }
LINNET_INLINE Vec Tanh(Vec x, Vec) { return LINNET_ISA::Tanh(x); }
LINNET_INLINE Vec Sigmoid(Vec x, Vec) { return LINNET_ISA::Sigmoid(x); }
LINNET_INLINE Vec Swish(Vec x, Vec) { return LINNET_ISA::Swish(x); }
LINNET_INLINE Vec Erf(Vec x, Vec) { return LINNET_ISA::Erf(x); }
LINNET_INLINE Vec GeluErf(Vec x, Vec) {
  return 0.5f * x * (1.0f + LINNET_ISA::Erf(x * 0.70710678118f));
}
// x / 2 (1 + tanh(u)) = x / (1 + exp(-2 u)), u = sqrt(2 / pi) (x + 0.044715 x^3)
LINNET_INLINE Vec GeluTanh(Vec x, Vec) {
  constexpr float kFirst = -2 * 0.79788456080f, kThird = kFirst * 0.044715f;
  const Vec u = x * MulAdd(x * x, Broadcast<Vec>(kThird), Broadcast<Vec>(kFirst));
  return x / QuickExp(u).PlusOne();
}
LINNET_INLINE Vec Limit(Vec x, float low, float high) {
  return ClampTo(x, Broadcast<Vec>(low), Broadcast<Vec>(high));
}
LINNET_INLINE Vec HardSwish(Vec x, Vec) {
  return x * Limit(MulAdd(x, Broadcast<Vec>(1.0f / 6.0f), Broadcast<Vec>(0.5f)), 0.0f, 1.0f);
}
LINNET_INLINE Vec HardSigmoid(Vec x, Vec) { return Limit(x * (1.0f / 6.0f) + 0.5f, 0.0f, 1.0f); }
LINNET_INLINE Vec Elu(Vec x, Vec) { return x < 0.0f ? Expm1OfNegative(x) : x; }
LINNET_INLINE Vec Selu(Vec x, Vec) {
  return x < 0.0f ? 1.75809934084737685994f * Expm1OfNegative(x) : 1.05070098735548049342f * x;
}
LINNET_INLINE Vec LeakyRelu(Vec x, Vec alpha) { return x > 0.0f ? x : alpha * x; }
LINNET_INLINE Vec Softplus(Vec x, Vec) { return LINNET_ISA::Softplus(x); }
LINNET_INLINE Vec Softsign(Vec x, Vec) { return x / (1.0f + LINNET_ISA::Abs(x)); }
LINNET_INLINE Vec Floor(Vec x, Vec) { return LINNET_ISA::Floor(x); }
LINNET_INLINE Vec Ceil(Vec x, Vec) { return LINNET_ISA::Ceil(x); }
LINNET_INLINE Vec Round(Vec x, Vec) { return LINNET_ISA::Round(x); }

struct Clamp {
  LINNET_INLINE Vec operator()(Vec x) const {
    return ClampTo(x, Broadcast<Vec>(low), Broadcast<Vec>(high));
  }
  float low, high;
};

}  // namespace unary

#define LINNET_DEFINE_BY(map, name)                                                             \
  struct Unary##name##Function {                                                                \
    LINNET_INLINE Vec operator()(Vec x) const { return unary::name(x, Broadcast<Vec>(alpha)); } \
    float alpha;                                                                                \
  };                                                                                            \
  void Unary##name(const float* in, int64_t count, float alpha, float* out) {                   \
    map(Unary##name##Function{alpha}, count, out, in);                                          \
  }
#define LINNET_DEFINE(name) LINNET_DEFINE_BY(Map, name)
LINNET_UNARY_F32_SHORT(LINNET_DEFINE)
#undef LINNET_DEFINE
#define LINNET_DEFINE(name) LINNET_DEFINE_BY(MapLong, name)
LINNET_UNARY_F32_LONG(LINNET_DEFINE)
#undef LINNET_DEFINE
#undef LINNET_DEFINE_BY

void Clamp(const float* in, int64_t count, float low, float high, float* out) {
  Map(unary::Clamp{low, high}, count, out, in);
}

}  // namespace linnet::LINNET_ISA
