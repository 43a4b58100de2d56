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

// Combines the lanes of all vectors: the second half of them with the first, and so on.
template <typename V, int kVecs, typename Join>
LINNET_INLINE float JoinLanes(const V (&vecs)[kVecs], const Join& join) {
  if constexpr (kVecs > 1) {
    V half[kVecs / 2];
    LINNET_UNROLL for (int v = 0; v < kVecs / 2; ++v) half[v] = join(vecs[v], vecs[v + kVecs / 2]);
    return JoinLanes(half, join);
  } else if constexpr (sizeof(V) > 2 * sizeof(float)) {
    typedef float Half __attribute__((vector_size(sizeof(V) / 2)));
    Half halves[2];
    __builtin_memcpy(halves, vecs, sizeof(V));
    const Half joined[] = {join(halves[0], halves[1])};
    return JoinLanes(joined, join);
  } else {
    return join(vecs[0][0], vecs[0][1]);
  }
}

struct Larger {
  template <typename T>
  LINNET_INLINE T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
struct Sum {
  template <typename T>
  LINNET_INLINE T operator()(T a, T b) const {
    return a + b;
  }
};

// The largest element of a row; NaN is ignored. Several vectors, because one would wait for itself.
LINNET_INLINE float RowMax(const float* x, int64_t count) {
  constexpr int kVecs = 4;
  Vec max[kVecs];
  LINNET_UNROLL for (int v = 0; v < kVecs; ++v) max[v] = Broadcast<Vec>(-kInf);
  int64_t i = 0;
  for (; i + kVecs * kLanes <= count; i += kVecs * kLanes) {
    LINNET_UNROLL for (int v = 0; v < kVecs; ++v) max[v] =
        AtLeast(Load<Vec>(x + i + v * kLanes), max[v]);
  }
  for (; i < count; i += kLanes) max[0] = AtLeast(LoadPart(x + i, count - i, -kInf), max[0]);
  const Vec all[] = {AtLeast(AtLeast(max[0], max[1]), AtLeast(max[2], max[3]))};
  return JoinLanes(all, Larger());
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

// out[i] = exp(in[i] - max) for count <= kExpRun, unless out is null; returns their sum.
inline constexpr int64_t kExpRun = 512;
LINNET_INLINE float ExpAndSumRun(const float* in, float max, int64_t count, float* out) {
  SumVec sums[kSumVecs] = {};
  int64_t i = 0;
  for (; i + kSumStep <= count; i += kSumStep) {
    LINNET_UNROLL for (int v = 0; v < kSumVecs; ++v) {
      const Vec y = QuickExpUpTo89(Load<Vec>(in + i + v * kLanes) - max).value();
      if (out != nullptr) Store(out + i + v * kLanes, y);
      AddLanes(y, sums[v]);
    }
  }
  for (; i < count; i += kLanes) {
    const Vec y = QuickExpUpTo89(LoadPart(in + i, count - i, -kInf) - max).value();
    if (out != nullptr) StorePart(out + i, y, count - i);
    AddLanes(y, sums[0]);  // lanes without an element add exp(-inf)
  }
  return JoinLanes(sums, Sum());
}

// The same for any count: sums short runs in float, and the sums of the runs in double.
LINNET_INLINE double ExpAndSum(const float* in, float max, int64_t count, float* out) {
  double sum = 0.0;
  for (int64_t i = 0; i < count; i += kExpRun) {
    const int64_t run = count - i < kExpRun ? count - i : kExpRun;
    sum += ExpAndSumRun(in + i, max, run, out == nullptr ? nullptr : out + i);
  }
  return sum;
}

LINNET_ONE_COPY inline float LogOfSum(float sum) { return Log(Broadcast<Vec>(sum))[0]; }

// A row of one vector.
LINNET_INLINE void SoftmaxRowOfOneVector(const float* in, int64_t cols, bool log, float* out) {
  const Vec all[] = {LoadPart(in, cols, -kInf)};
  const Vec x = all[0] - JoinLanes(all, Larger()), y = QuickExpUpTo89(x).value();
  SumVec sums[] = {SumVec{}};
  AddLanes(y, sums[0]);
  const float sum = JoinLanes(sums, Sum());
  StorePart(out, log ? x - LogOfSum(sum) : y * (1.0f / sum), cols);
}

struct Scale {
  LINNET_INLINE Vec operator()(Vec x) const { return x * factor; }
  float factor;
};
struct SubtractTwice {
  LINNET_INLINE Vec operator()(Vec x) const { return (x - first) - second; }
  float first, second;
};

LINNET_INLINE void SoftmaxRow(const float* in, int64_t cols, bool log, float* out) {
  const float max = RowMax(in, cols);
  const double sum = ExpAndSum(in, max, cols, log ? nullptr : out);
  if (log)
    Map(SubtractTwice{max, LogOfSum(static_cast<float>(sum))}, cols, out, in);
  else
    Map(Scale{static_cast<float>(1.0 / sum)}, cols, out, out);
}

void SoftmaxRows(const float* in, int64_t rows, int64_t cols, bool log, float* out) {
  for (int64_t r = 0; r < rows; ++r, in += cols, out += cols) {
    if (cols <= kLanes)
      SoftmaxRowOfOneVector(in, cols, log, out);
    else
      SoftmaxRow(in, cols, log, out);
  }
}

}  // namespace linnet::LINNET_ISA
