// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.

namespace linnet::LINNET_ISA {

using kernels::WinogradFilter;
using kernels::WinogradIn;
using kernels::WinogradOut;
using WinogradLine = Vec[6];

// One line of a tile of the input.
template <int kOutputs>
LINNET_INLINE void TransformIn(const WinogradLine& d, WinogradLine& to) {
  if constexpr (kOutputs == 2) {
    to[0] = d[0] - d[2];
    to[1] = d[1] + d[2];
    to[2] = d[2] - d[1];
    to[3] = d[1] - d[3];
  } else {
    const Vec even1 = MulAdd(Broadcast<Vec>(-2.25f), d[2], d[4]),
              even2 = MulAdd(Broadcast<Vec>(-0.5625f), d[2], d[4]);
    const Vec odd1 = Broadcast<Vec>(0.75f) * MulAdd(Broadcast<Vec>(-2.25f), d[1], d[3]);
    const Vec odd2 = Broadcast<Vec>(1.5f) * MulAdd(Broadcast<Vec>(-0.5625f), d[1], d[3]);
    to[0] = MulAdd(Broadcast<Vec>(1.265625f), d[0], MulAdd(Broadcast<Vec>(-2.8125f), d[2], d[4]));
    to[1] = even1 + odd1;
    to[2] = even1 - odd1;
    to[3] = even2 + odd2;
    to[4] = even2 - odd2;
    to[5] = MulAdd(Broadcast<Vec>(1.265625f), d[1], MulAdd(Broadcast<Vec>(-2.8125f), d[3], d[5]));
  }
}

// One line of the products of a tile; the first kOutputs of the result count.
template <int kOutputs>
LINNET_INLINE void TransformOut(const WinogradLine& m, WinogradLine& to) {
  const Vec sum1 = m[1] + m[2], difference1 = m[1] - m[2];
  if constexpr (kOutputs == 2) {
    to[0] = m[0] + sum1;
    to[1] = difference1 - m[3];
  } else {
    const Vec sum2 = m[3] + m[4], difference2 = m[3] - m[4];
    to[0] = m[0] + sum1 + sum2;
    to[1] = MulAdd(Broadcast<Vec>(0.75f), difference1, Broadcast<Vec>(1.5f) * difference2);
    to[2] = MulAdd(Broadcast<Vec>(0.5625f), sum1, Broadcast<Vec>(2.25f) * sum2);
    to[3] = MulAdd(Broadcast<Vec>(0.421875f), difference1,
                   MulAdd(Broadcast<Vec>(3.375f), difference2, m[5]));
  }
}

// Loops over lines are not unrolled: the values of a tile do not fit into registers, and the code
// of all tiles is small like this.
template <int kOutputs>
void WinogradInVector(const WinogradIn& w, int64_t c) {
  constexpr int kSide = kOutputs + 2;
  WinogradLine columns[kSide];
  for (int j = 0; j < kSide; ++j) {
    WinogradLine d;
    LINNET_UNROLL for (int i = 0; i < kSide; ++i) d[i] = Load<Vec>(w.pixels[i * kSide + j] + c);
    TransformIn<kOutputs>(d, columns[j]);
  }
  float* to = w.values + c;
  for (int i = 0; i < kSide; ++i) {
    WinogradLine d, row;
    LINNET_UNROLL for (int j = 0; j < kSide; ++j) d[j] = columns[j][i];
    TransformIn<kOutputs>(d, row);
    LINNET_UNROLL for (int j = 0; j < kSide; ++j) {
      Store(to, row[j]);
      to += w.matrix_step;
    }
  }
}

template <int kOutputs>
void WinogradOutVector(const WinogradOut& w, int64_t c) {
  constexpr int kSide = kOutputs + 2;
  WinogradLine columns[kSide];
  for (int j = 0; j < kSide; ++j) {
    WinogradLine m;
    const float* from = w.products + j * w.matrix_step + c;
    LINNET_UNROLL for (int i = 0; i < kSide; ++i) {
      m[i] = Load<Vec>(from);
      from += kSide * w.matrix_step;
    }
    TransformOut<kOutputs>(m, columns[j]);
  }
  const Vec bias = w.bias == nullptr ? Vec{} : Load<Vec>(w.bias + c);
  const Vec min = Broadcast<Vec>(w.min), max = Broadcast<Vec>(w.max);
  for (int i = 0; i < kOutputs && i < w.rows; ++i) {
    WinogradLine m, row;
    LINNET_UNROLL for (int j = 0; j < kSide; ++j) m[j] = columns[j][i];
    TransformOut<kOutputs>(m, row);
    float* to = w.out + i * w.row_step + c;
    LINNET_UNROLL for (int j = 0; j < kOutputs; ++j) {
      if (j >= w.columns) break;
      Store(to, ClampTo(row[j] + bias, min, max));
      to += w.pixel_step;
    }
  }
}

// A vector of channels at a time; the last one overlaps where there is more than one. REQUIRES: at
// least kLanes channels.
template <typename Vectors>
LINNET_INLINE void ForVectors(int64_t channels, const Vectors& vectors) {
  int64_t c = 0;
  for (; c + kLanes <= channels; c += kLanes) vectors(c);
  if (c < channels) vectors(channels - kLanes);
}

// Fewer channels than a vector has: with copies that have as many.
void WinogradInFewChannels(const WinogradIn& w) {
  float pixels[kMostWinogradMatrices][kLanes] = {}, values[kMostWinogradMatrices][kLanes];
  const float* rows[kMostWinogradMatrices];
  const int matrices = WinogradMatrices(w.outputs);
  for (int i = 0; i < matrices; ++i) {
    for (int64_t c = 0; c < w.channels; ++c) pixels[i][c] = w.pixels[i][c];
    rows[i] = pixels[i];
  }
  WinogradInTile({w.outputs, kLanes, rows, values[0], kLanes});
  for (int i = 0; i < matrices; ++i)
    for (int64_t c = 0; c < w.channels; ++c) w.values[i * w.matrix_step + c] = values[i][c];
}

void WinogradOutFewChannels(const WinogradOut& w) {
  float products[kMostWinogradMatrices][kLanes] = {}, bias[kLanes] = {}, out[16][kLanes];
  for (int i = 0; i < WinogradMatrices(w.outputs); ++i)
    for (int64_t c = 0; c < w.channels; ++c) products[i][c] = w.products[i * w.matrix_step + c];
  for (int64_t c = 0; c < w.channels && w.bias != nullptr; ++c) bias[c] = w.bias[c];
  WinogradOut copy = w;
  copy.channels = copy.matrix_step = copy.pixel_step = kLanes;
  copy.row_step = int64_t{kLanes} * w.outputs;
  copy.products = products[0];
  copy.bias = bias;
  copy.out = out[0];
  WinogradOutTile(copy);
  for (int64_t i = 0; i < w.outputs && i < w.rows; ++i)
    for (int64_t j = 0; j < w.outputs && j < w.columns; ++j)
      for (int64_t c = 0; c < w.channels; ++c)
        w.out[i * w.row_step + j * w.pixel_step + c] = out[i * w.outputs + j][c];
}

void WinogradInTile(const WinogradIn& w) {
  if (w.channels < kLanes) return WinogradInFewChannels(w);
  ForVectors(w.channels, [&](int64_t c) {
    w.outputs == 2 ? WinogradInVector<2>(w, c) : WinogradInVector<4>(w, c);
  });
}

void WinogradOutTile(const WinogradOut& w) {
  if (w.channels < kLanes) return WinogradOutFewChannels(w);
  ForVectors(w.channels, [&](int64_t c) {
    w.outputs == 2 ? WinogradOutVector<2>(w, c) : WinogradOutVector<4>(w, c);
  });
}

// As many windows at a time as a vector has doubles.
void WinogradFilterWindows(const WinogradFilter& w) {
  typedef double DoubleVec __attribute__((vector_size(4 * kLanes)));
  typedef float HalfVec __attribute__((vector_size(2 * kLanes)));
  for (int64_t n = 0; n < w.windows; n += kLanes / 2) {
    DoubleVec taps[kWinogradTaps];
    for (int t = 0; t < kWinogradTaps; ++t) {
      HalfVec floats;
      __builtin_memcpy(&floats, w.taps + t * w.tap_step + n, sizeof(floats));
      taps[t] = __builtin_convertvector(floats, DoubleVec);
    }
    TransformWinogradWindow(w.outputs, taps, [&](int matrix, const DoubleVec& value) {
      const HalfVec floats = __builtin_convertvector(value, HalfVec);
      __builtin_memcpy(w.values + matrix * w.matrix_step + n, &floats, sizeof(floats));
    });
  }
}

}  // namespace linnet::LINNET_ISA
