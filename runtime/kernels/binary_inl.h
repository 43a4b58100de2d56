// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.

namespace linnet::LINNET_ISA {

// The functions of the kinds, with their names.
namespace binary {

LINNET_INLINE Vec Add(Vec a, Vec b) { return a + b; }
LINNET_INLINE Vec Sub(Vec a, Vec b) { return a - b; }
LINNET_INLINE Vec Mul(Vec a, Vec b) { return a * b; }
LINNET_INLINE Vec Div(Vec a, Vec b) { return a / b; }
LINNET_INLINE Vec FloorDiv(Vec a, Vec b) { return Floor(a / b); }
LINNET_INLINE Vec TruncateDiv(Vec a, Vec b) {
  const Vec quotient = a / b;
  return CopySign(Floor(Abs(quotient)), quotient);
}
LINNET_INLINE Vec DivNoNan(Vec a, Vec b) { return b == 0.0f ? Broadcast<Vec>(0.0f) : a / b; }
// Propagates NaN from either operand: AtLeast and AtMost propagate NaN in b, the comparison NaN in
// a.
#if __ARM_FEATURE_MVE  // GCC 12 compiles the expressions below wrongly for this set
LINNET_INLINE Vec Maximum(Vec a, Vec b) {
  LINNET_UNROLL for (int i = 0; i < kLanes; ++i) b[i] = a[i] != a[i] || a[i] > b[i] ? a[i] : b[i];
  return b;
}
LINNET_INLINE Vec Minimum(Vec a, Vec b) {
  LINNET_UNROLL for (int i = 0; i < kLanes; ++i) b[i] = a[i] != a[i] || a[i] < b[i] ? a[i] : b[i];
  return b;
}
#else
LINNET_INLINE Vec Maximum(Vec a, Vec b) { return a != a ? a : AtLeast(a, b); }
LINNET_INLINE Vec Minimum(Vec a, Vec b) { return a != a ? a : AtMost(a, b); }
#endif
LINNET_INLINE Vec SquaredDifference(Vec a, Vec b) { return (a - b) * (a - b); }

struct Prelu {
  LINNET_INLINE Vec operator()(Vec x, Vec alpha) const { return x >= 0.0f ? x : alpha * x; }
};

}  // namespace binary

#define LINNET_DEFINE(name)                                                              \
  struct Binary##name##Function {                                                        \
    LINNET_INLINE Vec operator()(Vec a, Vec b) const {                                   \
      return ClampTo(binary::name(a, b), Broadcast<Vec>(min), Broadcast<Vec>(max));      \
    }                                                                                    \
    float min, max;                                                                      \
  };                                                                                     \
  void Binary##name(const float* a, const float* b, int64_t count, float min, float max, \
                    float* out) {                                                        \
    Map(Binary##name##Function{min, max}, count, out, a, b);                             \
  }
LINNET_BINARY_F32_VECTOR(LINNET_DEFINE)
#undef LINNET_DEFINE

// Rows of whole vectors go a few together, because one is often shorter than a step of Map.
void Prelu(const float* x, const float* alpha, int64_t rows, int64_t channels, float* out) {
  const binary::Prelu prelu;
  constexpr int kRows = kStepVecs;
  while (rows >= kRows && channels % kLanes == 0) {
    for (int64_t c = 0; c < channels; c += kLanes) {
      const Vec slopes = Load<Vec>(alpha + c);
      Vec y[kRows];
      LINNET_UNROLL for (int i = 0; i < kRows; ++i) y[i] =
          prelu(Load<Vec>(x + i * channels + c), slopes);
      LINNET_UNROLL for (int i = 0; i < kRows; ++i) Store(out + i * channels + c, y[i]);
    }
    rows -= kRows;
    x += kRows * channels;
    out += kRows * channels;
  }
  for (; rows > 0; --rows, x += channels, out += channels) Map(prelu, channels, out, x, alpha);
}

}  // namespace linnet::LINNET_ISA
