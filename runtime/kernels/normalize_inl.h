// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.

namespace linnet::LINNET_ISA {

// Combines the lanes of all vectors.
template <typename Join>
LINNET_INLINE float JoinLanes(const Vec (&vecs)[kStepVecs], const Join& join) {
  float lanes[kStep];
  LINNET_UNROLL for (int v = 0; v < kStepVecs; ++v) Store(lanes + v * kLanes, vecs[v]);
  LINNET_UNROLL for (int width = kStep / 2; width > 0; width /= 2) {
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
  Vec max[kStepVecs];
  LINNET_UNROLL for (int v = 0; v < kStepVecs; ++v) max[v] = Broadcast<Vec>(-kInf);
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    LINNET_UNROLL for (int v = 0; v < kStepVecs; ++v) max[v] =
        AtLeast(Load<Vec>(x + i + v * kLanes), max[v]);
  }
  for (; i < count; i += kLanes) max[0] = AtLeast(LoadPart(x + i, count - i, -kInf), max[0]);
  return JoinLanes(max, Larger());
}

// out[i] = exp(in[i] - max) for count <= kExpRun, if kStore; returns their sum.
inline constexpr int64_t kExpRun = 512;
template <bool kStore>
LINNET_INLINE float ExpAndSumRun(const float* in, float max, int64_t count, float* out) {
  Vec sums[kStepVecs] = {};
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    LINNET_UNROLL for (int v = 0; v < kStepVecs; ++v) {
      const Vec y = QuickExp(Load<Vec>(in + i + v * kLanes) - max).value();
      if constexpr (kStore) Store(out + i + v * kLanes, y);
      sums[v] += y;
    }
  }
  for (; i < count; i += kLanes) {
    const Vec y = QuickExp(LoadPart(in + i, count - i, -kInf) - max).value();
    if constexpr (kStore) StorePart(out + i, y, count - i);
    sums[0] += y;  // lanes without an element add exp(-inf)
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
