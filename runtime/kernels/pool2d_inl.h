// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.

namespace linnet::LINNET_ISA {

// Vectors of channels that are pooled together.
inline constexpr int kPoolVecs = 4;

// What becomes of the elements of a window.
struct WindowMaximum {
  LINNET_INLINE Vec Join(Vec so_far, Vec x) const { return binary::Maximum(x, so_far); }
  LINNET_INLINE Vec Finish(Vec x) const { return x; }
};
struct WindowMean {
  LINNET_INLINE Vec Join(Vec so_far, Vec x) const { return so_far + x; }
  LINNET_INLINE Vec Finish(Vec sum) const { return sum / divisor; }
  float divisor;
};

// kVecs vectors of one window; the last one has `count` lanes.
template <int kVecs, typename Op>
LINNET_INLINE void PoolVecs(const kernels::PoolWindows<float>& w, const Op& op, const float* in,
                            int64_t count, float* out) {
  constexpr int kLast = kVecs - 1;
  Vec value[kVecs];
  const float* first = w.begun ? out : in;
  LINNET_UNROLL for (int v = 0; v < kLast; ++v) value[v] = Load<Vec>(first + v * kLanes);
  value[kLast] = LoadPart(first + kLast * kLanes, count, 0.0f);
  int64_t x = w.begun ? 0 : 1;
  for (int64_t y = 0; y < w.rows; ++y, x = 0) {
    const float* pixel = in + y * w.row_step + x * w.pixel_step;
    for (; x < w.columns; ++x, pixel += w.pixel_step) {
      LINNET_UNROLL for (int v = 0; v < kLast; ++v) value[v] =
          op.Join(value[v], Load<Vec>(pixel + v * kLanes));
      value[kLast] = op.Join(value[kLast], LoadPart(pixel + kLast * kLanes, count, 0.0f));
    }
  }
  const Vec min = Broadcast<Vec>(w.min), max = Broadcast<Vec>(w.max);
  LINNET_UNROLL for (int v = 0; v < kVecs; ++v) value[v] = ClampTo(op.Finish(value[v]), min, max);
  LINNET_UNROLL for (int v = 0; v < kLast; ++v) Store(out + v * kLanes, value[v]);
  StorePart(out + kLast * kLanes, value[kLast], count);
}

template <typename Op>
LINNET_INLINE void Pool(const kernels::PoolWindows<float>& w, const Op& op) {
  const float* in = w.in;
  float* out = w.out;
  for (int64_t i = 0; i < w.windows; ++i, in += w.window_step, out += w.pixel_step) {
    int64_t c = 0;
    for (; c + kPoolVecs * kLanes <= w.channels; c += kPoolVecs * kLanes)
      PoolVecs<kPoolVecs>(w, op, in + c, kLanes, out + c);
    for (; c + kLanes <= w.channels; c += kLanes) PoolVecs<1>(w, op, in + c, kLanes, out + c);
    if (c < w.channels) PoolVecs<1>(w, op, in + c, w.channels - c, out + c);
  }
}

void MaxOfWindows(const kernels::PoolWindows<float>& w) { Pool(w, WindowMaximum()); }
void MeanOfWindows(const kernels::PoolWindows<float>& w) { Pool(w, WindowMean{w.divisor}); }

}  // namespace linnet::LINNET_ISA
