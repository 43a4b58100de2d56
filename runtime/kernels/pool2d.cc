// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/pool2d.h"

#include <algorithm>

#include "runtime/core/checked.h"
#include "runtime/kernels/independent_loops.h"

namespace linnet::kernels {
namespace {

// A window clipped to the image: rows [top, bottom), columns [left, right).
struct Window {
  Window(const Pool2DShape& s, int64_t y, int64_t x) {
    top = y * s.stride_h - s.pad_top;
    left = x * s.stride_w - s.pad_left;
    bottom = std::min(top + s.window_h, s.in_h);
    right = std::min(left + s.window_w, s.in_w);
    top = std::max<int64_t>(top, 0);
    left = std::max<int64_t>(left, 0);
  }
  int64_t count() const { return (bottom - top) * (right - left); }

  int64_t top, left, bottom, right;
};

template <typename T>
struct Maximum {
  static void Start(const T* in, int64_t n, T* out) { std::copy_n(in, n, out); }
  static void Add(const T* in, int64_t n, T* out) {
    LINNET_VECTORIZE
    // The second test is true for a NaN in `in`; a NaN in `out` fails the first and stays.
    for (int64_t c = 0; c < n; ++c) out[c] = in[c] > out[c] || in[c] != in[c] ? in[c] : out[c];
  }
  static void Finish(int64_t, int64_t, T*) {}
};

struct Mean {
  static void Start(const float* in, int64_t n, float* out) { std::copy_n(in, n, out); }
  static void Add(const float* in, int64_t n, float* out) {
    LINNET_VECTORIZE
    for (int64_t c = 0; c < n; ++c) out[c] += in[c];
  }
  static void Finish(int64_t count, int64_t n, float* out) {
    const float divisor = static_cast<float>(count);
    for (int64_t c = 0; c < n; ++c) out[c] /= divisor;
  }
};

template <typename T>
void Clamp(T min, T max, int64_t n, T* out) {
  for (int64_t c = 0; c < n; ++c) {
    const T value = out[c] < min ? min : out[c];
    out[c] = value > max ? max : value;
  }
}

// Channels [first, last) of one output row.
template <typename Op, typename T>
void PoolRow(const Pool2DShape& s, const T* image, int64_t y, int64_t first, int64_t last, T min,
             T max, T* out, Questions& questions) {
  const int64_t n = last - first;
  out += first;
  for (int64_t x = 0; x < s.out_w; ++x, out += s.channels) {
    const Window window(s, y, x);
    bool started = false;
    for (int64_t iy = window.top; iy < window.bottom; ++iy) {
      if (questions.Stop((window.right - window.left) * (n + 4))) return;
      const T* in = image + (iy * s.in_w + window.left) * s.channels + first;
      for (int64_t ix = window.left; ix < window.right; ++ix, in += s.channels) {
        started ? Op::Add(in, n, out) : Op::Start(in, n, out);
        started = true;
      }
    }
    Op::Finish(window.count(), n, out);
    Clamp(min, max, n, out);
  }
}

template <typename Op, typename T>
void Pool(const Pool2DShape& s, const T* in, T min, T max, T* out, const Parallel& parallel) {
  const int64_t out_row = s.out_w * s.channels;
  const int64_t rows = s.batch * s.out_h;
  if (out_row * rows == 0) return;
  // Global pooling has only one row: divide its channels among threads.
  constexpr int64_t kChannelRun = 64;
  const int64_t run = rows >= parallel.threads ? s.channels : std::min(s.channels, kChannelRun);
  const int64_t runs = CeilDiv(s.channels, run);
  // A window may be much larger than the image; only the part inside is work.
  const int64_t taps = std::min(s.window_h, s.in_h) * std::min(s.window_w, s.in_w);
  const int64_t grain = (1 << 14) / SaturatingMul(s.out_w * run, taps) + 1;
  ParallelFor(parallel, rows * runs, grain, [&](int64_t begin, int64_t end) {
    Questions questions(parallel);
    for (int64_t piece = begin; piece < end; ++piece) {
      const int64_t row = piece / runs, first = piece % runs * run;
      const T* image = in + row / s.out_h * s.in_h * s.in_w * s.channels;
      PoolRow<Op, T>(s, image, row % s.out_h, first, std::min(first + run, s.channels), min, max,
                     out + row * out_row, questions);
    }
  });
}

}  // namespace

template <typename T>
void MaxPool2D(const Pool2DShape& s, const T* in, T min, T max, T* out, const Parallel& parallel) {
  Pool<Maximum<T>, T>(s, in, min, max, out, parallel);
}
template void MaxPool2D(const Pool2DShape&, const float*, float, float, float*, const Parallel&);
template void MaxPool2D(const Pool2DShape&, const int8_t*, int8_t, int8_t, int8_t*,
                        const Parallel&);
template void MaxPool2D(const Pool2DShape&, const uint8_t*, uint8_t, uint8_t, uint8_t*,
                        const Parallel&);
template void MaxPool2D(const Pool2DShape&, const int32_t*, int32_t, int32_t, int32_t*,
                        const Parallel&);
template void MaxPool2D(const Pool2DShape&, const int64_t*, int64_t, int64_t, int64_t*,
                        const Parallel&);

void AveragePool2D(const Pool2DShape& s, const float* in, float min, float max, float* out,
                   const Parallel& parallel) {
  Pool<Mean, float>(s, in, min, max, out, parallel);
}

}  // namespace linnet::kernels
