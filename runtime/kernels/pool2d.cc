// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/pool2d.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "runtime/core/checked.h"
#include "runtime/kernels/independent_loops.h"
#include "runtime/kernels/isa.h"

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

// For integers; the code per instruction set does the same with floats.
template <typename T>
void MaxOfWindows(const PoolWindows<T>& w) {
  const T* in = w.in;
  T* out = w.out;
  for (int64_t i = 0; i < w.windows; ++i, in += w.window_step, out += w.pixel_step) {
    if (!w.begun) std::copy_n(in, w.channels, out);
    for (int64_t y = 0; y < w.rows; ++y) {
      for (int64_t x = 0; x < w.columns; ++x) {
        const T* pixel = in + y * w.row_step + x * w.pixel_step;
        LINNET_VECTORIZE
        for (int64_t c = 0; c < w.channels; ++c) out[c] = std::max(out[c], pixel[c]);
      }
    }
    for (int64_t c = 0; c < w.channels; ++c) out[c] = std::min(std::max(out[c], w.min), w.max);
  }
}

template <typename T>
using WindowLoop = void (*)(const PoolWindows<T>& windows);

// Channels [first, last) of one output row.
template <typename T>
void PoolRow(const Pool2DShape& s, WindowLoop<T> loop, const T* image, int64_t y, int64_t first,
             int64_t last, T min, T max, T* out, Questions& questions) {
  using Limits = std::numeric_limits<T>;
  constexpr T kLowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  constexpr T kHighest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  const int64_t n = last - first;
  PoolWindows<T> w = {.channels = n,
                      .window_step = s.stride_w * s.channels,
                      .row_step = s.in_w * s.channels,
                      .pixel_step = s.channels};
  for (int64_t x = 0; x < s.out_w; x += w.windows) {
    const Window window(s, y, x);
    w.columns = window.right - window.left;
    const int64_t row_work = w.columns * (n + 4), work = row_work * (window.bottom - window.top);
    w.windows = 1;
    // The next windows as far as they are whole, but not more work than between two questions.
    if (w.columns == s.window_w) {
      const int64_t more = (s.in_w - window.right) / s.stride_w;
      w.windows += std::min({more, s.out_w - x - 1, kWorkPerQuestion / work});
    }
    const int64_t most_rows = kWorkPerQuestion / row_work + 1;
    for (int64_t top = window.top; top < window.bottom; top += w.rows) {
      w.rows = std::min(window.bottom - top, most_rows);
      if (questions.Stop(w.windows * w.rows * row_work)) return;
      const bool is_last = top + w.rows == window.bottom;
      w.begun = top > window.top;
      w.in = image + (top * s.in_w + window.left) * s.channels + first;
      w.out = out + x * s.channels + first;
      w.divisor = is_last ? static_cast<T>(window.count()) : T{1};
      w.min = is_last ? min : kLowest;
      w.max = is_last ? max : kHighest;
      loop(w);
    }
  }
}

template <typename T>
void Pool(const Pool2DShape& s, WindowLoop<T> loop, const T* in, T min, T max, T* out,
          const Parallel& parallel) {
  const int64_t out_row = s.out_w * s.channels;
  const int64_t rows = s.batch * s.out_h;
  if (out_row * rows == 0) return;
  // Global pooling has only one row: divide its channels among threads.
  constexpr int64_t kChannelRun = 64;
  const int64_t run = rows >= parallel.threads ? s.channels : std::min(s.channels, kChannelRun);
  const int64_t runs = CeilDiv(s.channels, run);
  // A window may be much larger than the image; only the part inside is work.
  const int64_t taps = std::min(s.window_h, s.in_h) * std::min(s.window_w, s.in_w);
  const int64_t grain = (1 << 13) / SaturatingMul(s.out_w * run, taps) + 1;
  ParallelFor(parallel, rows * runs, grain, [&](int64_t begin, int64_t end) {
    Questions questions(parallel);
    for (int64_t piece = begin; piece < end; ++piece) {
      const int64_t row = piece / runs, first = piece % runs * run;
      const T* image = in + row / s.out_h * s.in_h * s.in_w * s.channels;
      PoolRow<T>(s, loop, image, row % s.out_h, first, std::min(first + run, s.channels), min, max,
                 out + row * out_row, questions);
    }
  });
}

}  // namespace

template <typename T>
void MaxPool2D(const Pool2DShape& s, const T* in, T min, T max, T* out, const Parallel& parallel) {
  if constexpr (std::is_same_v<T, float>)
    Pool<T>(s, Isa<&IsaKernels::max_of_windows>(), in, min, max, out, parallel);
  else
    Pool<T>(s, MaxOfWindows<T>, in, min, max, out, parallel);
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
  Pool<float>(s, Isa<&IsaKernels::mean_of_windows>(), in, min, max, out, parallel);
}

}  // namespace linnet::kernels
