// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.

namespace linnet::LINNET_ISA {

// Vectors that are reduced side by side, because small ARM cores need independent operations.
#if defined(__aarch64__)
inline constexpr int kSumVecs = 4;
#else
inline constexpr int kSumVecs = 1;
#endif
inline constexpr int kSumStep = kSumVecs * kLanes;

// Combines the lanes of all vectors.
template <typename V, typename Join>
LINNET_INLINE float JoinLanes(const V (&vecs)[kSumVecs], const Join& join) {
  constexpr int kCount = kSumVecs * static_cast<int>(sizeof(V) / sizeof(float));
  float lanes[kCount];
  __builtin_memcpy(lanes, vecs, sizeof(vecs));
  LINNET_UNROLL for (int width = kCount / 2; width > 0; width /= 2) {
    LINNET_UNROLL for (int l = 0; l < width; ++l) lanes[l] = join(lanes[l], lanes[l + width]);
  }
  return lanes[0];
}

struct Larger {
  LINNET_INLINE float operator()(float a, float b) const { return a > b ? a : b; }
};
struct Sum {
  LINNET_INLINE float operator()(float a, float b) const { return a + b; }
};

// The largest element of a row; NaN is ignored.
LINNET_INLINE float RowMax(const float* x, int64_t count) {
  Vec max[kSumVecs];
  LINNET_UNROLL for (int v = 0; v < kSumVecs; ++v) max[v] = Broadcast<Vec>(-kInf);
  int64_t i = 0;
  for (; i + kSumStep <= count; i += kSumStep) {
    LINNET_UNROLL for (int v = 0; v < kSumVecs; ++v) max[v] =
        AtLeast(Load<Vec>(x + i + v * kLanes), max[v]);
  }
  for (; i < count; i += kLanes) max[0] = AtLeast(LoadPart(x + i, count - i, -kInf), max[0]);
  return JoinLanes(max, Larger());
}

// Sums of lanes. AVX-512 adds the halves of a vector one after the other, in the order in which
// AVX2 adds vectors of eight, so that sums have the same bits.
#if LINNET_ISA_AVX512
typedef float SumVec __attribute__((vector_size(32)));
LINNET_INLINE void AddLanes(Vec y, SumVec& sum) {
  sum += SumVec(_mm512_castps512_ps256(y));
  sum += SumVec(_mm512_extractf32x8_ps(y, 1));
}
#else
using SumVec = Vec;
LINNET_INLINE void AddLanes(Vec y, SumVec& sum) { sum += y; }
#endif

// out[i] = exp(in[i] - max) for count <= kExpRun, if kStore; returns their sum.
inline constexpr int64_t kExpRun = 512;
template <bool kStore>
LINNET_INLINE float ExpAndSumRun(const float* in, float max, int64_t count, float* out) {
  SumVec sums[kSumVecs] = {};
  int64_t i = 0;
  for (; i + kSumStep <= count; i += kSumStep) {
    LINNET_UNROLL for (int v = 0; v < kSumVecs; ++v) {
      const Vec y = QuickExpUpTo89(Load<Vec>(in + i + v * kLanes) - max).value();
      if constexpr (kStore) Store(out + i + v * kLanes, y);
      AddLanes(y, sums[v]);
    }
  }
  for (; i < count; i += kLanes) {
    const Vec y = QuickExpUpTo89(LoadPart(in + i, count - i, -kInf) - max).value();
    if constexpr (kStore) StorePart(out + i, y, count - i);
    AddLanes(y, sums[0]);  // lanes without an element add exp(-inf)
  }
  return JoinLanes(sums, Sum());
}

// The same for any count: sums short runs in float, and the sums of the runs in double.
template <bool kStore>
LINNET_INLINE double ExpAndSum(const float* in, float max, int64_t count, float* out) {
  double sum = 0.0;
  for (int64_t i = 0; i < count; i += kExpRun) {
    const int64_t run = count - i < kExpRun ? count - i : kExpRun;
    sum += ExpAndSumRun<kStore>(in + i, max, run, out + i);
  }
  return sum;
}

struct Scale {
  LINNET_INLINE Vec operator()(Vec x) const { return x * factor; }
  float factor;
};

void SoftmaxRow(const float* in, int64_t cols, float* out) {
  const double sum = ExpAndSum<true>(in, RowMax(in, cols), cols, out);
  Map(Scale{static_cast<float>(1.0 / sum)}, cols, out, out);
}

struct SubtractTwice {
  LINNET_INLINE Vec operator()(Vec x) const { return (x - first) - second; }
  float first, second;
};

void LogSoftmaxRow(const float* in, int64_t cols, float* out) {
  const float max = RowMax(in, cols);
  const double sum = ExpAndSum<false>(in, max, cols, out);
  Map(SubtractTwice{max, static_cast<float>(__builtin_log(sum))}, cols, out, in);
}

}  // namespace linnet::LINNET_ISA
