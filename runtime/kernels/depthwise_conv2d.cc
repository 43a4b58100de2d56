// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/depthwise_conv2d.h"

#include <algorithm>

#include "runtime/kernels/isa.h"

namespace linnet::kernels {
namespace {

// Kernel positions [first, last) that are inside [0, extent) when position 0 is at `start`.
struct Taps {
  Taps(int64_t start, int64_t extent, int64_t dilation, int64_t kernel)
      : first(start >= 0 ? 0 : CeilDiv(-start, dilation)),
        last(std::min(kernel, start >= extent ? 0 : CeilDiv(extent - start, dilation))) {
    first = std::min(first, last);
  }
  int64_t count() const { return last - first; }
  int64_t first, last;
};

// One output pixel with several output channels per input channel.
struct MultipliedPixel {
  const DepthwiseConv2DShape& s;
  const float* picture;
  const float* filter;
  int64_t top, left;
  Taps rows, columns;

  void Accumulate(float* out, Questions& questions) const {
    const int64_t out_channels = s.channels * s.multiplier;
    for (int64_t ky = rows.first; ky < rows.last; ++ky) {
      for (int64_t kx = columns.first; kx < columns.last; ++kx) {
        if (questions.Stop(out_channels)) return;
        const int64_t y = top + ky * s.dilation_h, x = left + kx * s.dilation_w;
        const float* pixel = picture + (y * s.in_w + x) * s.channels;
        const float* weights = filter + (ky * s.kernel_w + kx) * out_channels;
        for (int64_t c = 0, o = 0; c < s.channels; ++c)
          for (int64_t m = 0; m < s.multiplier; ++m, ++o) out[o] += pixel[c] * weights[o];
      }
    }
  }
};

void MultipliedRow(const DepthwiseConv2DShape& s, const float* picture, const float* filter,
                   const float* bias, float min, float max, int64_t y, float* out,
                   Questions& questions) {
  const int64_t out_channels = s.channels * s.multiplier;
  const int64_t top = y * s.stride_h - s.pad_top;
  const Taps rows(top, s.in_h, s.dilation_h, s.kernel_h);
  for (int64_t x = 0; x < s.out_w; ++x, out += out_channels) {
    for (int64_t o = 0; o < out_channels; ++o) out[o] = bias == nullptr ? 0 : bias[o];
    const int64_t left = x * s.stride_w - s.pad_left;
    const Taps columns(left, s.in_w, s.dilation_w, s.kernel_w);
    MultipliedPixel{s, picture, filter, top, left, rows, columns}.Accumulate(out, questions);
    for (int64_t o = 0; o < out_channels; ++o) {
      const float value = out[o] < min ? min : out[o];
      out[o] = value > max ? max : value;
    }
  }
}

}  // namespace

void DepthwiseConv2D(const DepthwiseConv2DShape& s, const float* in, const float* filter,
                     const float* bias, float min, float max, float* out,
                     const Parallel& parallel) {
  const int64_t out_row = s.out_w * s.channels * s.multiplier;
  if (out_row == 0) return;
  const int64_t row_macs = out_row * s.kernel_h * s.kernel_w;
  const int64_t grain = CeilDiv(1 << 15, std::max<int64_t>(row_macs, 1));
  // Pixels between two checks whether to stop: a row, unless its windows are huge.
  const int64_t pixel_macs = std::max<int64_t>(row_macs / s.out_w, 1);
  const int64_t pixels = std::max<int64_t>(16 * kWorkPerQuestion / pixel_macs, 4);
  const auto depthwise_row = Isa<&IsaKernels::depthwise_row>();
  ParallelFor(parallel, s.batch * s.out_h, grain, [&](int64_t begin, int64_t end) {
    Questions questions(parallel);
    for (int64_t row = begin, rows = 1; row < end; row += rows) {
      const int64_t y = row % s.out_h, n = row / s.out_h;
      const float* picture = in + n * s.in_h * s.in_w * s.channels;
      if (s.multiplier > 1) {
        MultipliedRow(s, picture, filter, bias, min, max, y, out + row * out_row, questions);
        continue;
      }
      const int64_t top = y * s.stride_h - s.pad_top;
      const Taps taps(top, s.in_h, s.dilation_h, s.kernel_h);
      const Taps next(top + s.stride_h, s.in_h, s.dilation_h, s.kernel_h);
      const bool pair = row + 1 < end && y + 1 < s.out_h && taps.count() > 0 && next.count() > 0;
      rows = pair ? 2 : 1;
      const int64_t row_floats = s.in_w * s.channels;
      for (int64_t x = 0; x < s.out_w; x += pixels) {
        if (questions.Stop(rows * pixels * pixel_macs)) return;
        depthwise_row({.in = picture,
                       .filter = filter,
                       .bias = bias,
                       .out = out + row * out_row + x * s.channels,
                       .channels = s.channels,
                       .in_w = s.in_w,
                       .out_w = std::min(pixels, s.out_w - x),
                       .kernel_h = s.kernel_h,
                       .kernel_w = s.kernel_w,
                       .stride_w = s.stride_w,
                       .dilation_w = s.dilation_w,
                       .pad_left = s.pad_left - x * s.stride_w,
                       .first_row = top * row_floats,
                       .row_step = s.dilation_h * row_floats,
                       .first_ky = taps.first,
                       .last_ky = taps.last,
                       .rows = rows,
                       .in_step = s.stride_h * row_floats,
                       .out_step = out_row,
                       .next_first_ky = next.first,
                       .next_last_ky = next.last,
                       .min = min,
                       .max = max});
      }
    }
  });
}

}  // namespace linnet::kernels
