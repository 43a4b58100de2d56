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

// The least multiply-accumulates that are worth a thread.
constexpr int64_t kMacsPerThread = 1 << 15;

// For each pixel of a picture. A product that makes 4 to 6 channels of one shares them from 10 to
// 14 on.
constexpr int64_t kManyChannels = 12;

int64_t RowMacs(const DepthwiseConv2DShape& s) {
  return SaturatingMul(s.out_w * s.channels * s.multiplier, s.kernel_h * s.kernel_w);
}

// How threads share the output. By rows, of which the loops compute two together; where pairs are
// not equally many for each thread, a range may end between the two. The product before shares its
// rows in the same way, so that each thread has most of what it reads in its cache. But a product
// that made many channels of few pixels has shared these channels (kernels::GemmSplit).
struct Split {
  Split(const DepthwiseConv2DShape& s, int threads) {
    const int64_t rows = s.batch * s.out_h, pairs = s.batch * CeilDiv(s.out_h, 2);
    if (threads == 1 || s.multiplier > 1 || pairs >= 8 * threads) return;
    if (SaturatingMul(rows, RowMacs(s)) < 2 * kMacsPerThread) return;
    if (pairs <= 2 * threads && s.channels >= kManyChannels * s.batch * s.in_h * s.in_w) {
      constexpr int64_t kFewest = 16, kUsual = 32;  // channels of a group, one and two vectors
      group = s.channels / kUsual >= 4 * threads ? kUsual : kFewest;
      runs = std::clamp<int64_t>(s.channels / group, 1, 4 * threads);
    } else if (pairs % threads != 0) {
      unit_rows = 1;
    }
  }
  int64_t units_of_picture(const DepthwiseConv2DShape& s) const {
    return CeilDiv(s.out_h, unit_rows);
  }
  // The first channel of a run; the last one also has those that are no whole group.
  int64_t first_channel(const DepthwiseConv2DShape& s, int64_t run) const {
    return run == runs ? s.channels : s.channels / group * run / runs * group;
  }

  int64_t unit_rows = 2;        // of a picture: what is not divided
  int64_t runs = 1, group = 1;  // of channels
};

// A convolution with multiplier 1.
struct Depthwise {
  const DepthwiseConv2DShape& s;
  const float *in, *filter, *bias;
  float min, max;
  float* out;

  // Channels [first, last) of one row of a picture, or of two.
  void Compute(int64_t picture, int64_t y, int64_t rows, int64_t first, int64_t last,
               Questions& questions) const {
    const int64_t top = y * s.stride_h - s.pad_top;
    const Taps taps(top, s.in_h, s.dilation_h, s.kernel_h);
    const Taps next(top + s.stride_h, s.in_h, s.dilation_h, s.kernel_h);
    if (rows == 1 || (taps.count() > 0 && next.count() > 0))
      return Rows(picture, y, rows, taps, next, first, last, questions);
    Rows(picture, y, 1, taps, next, first, last, questions);
    Rows(picture, y + 1, 1, next, next, first, last, questions);
  }

 private:
  void Rows(int64_t picture, int64_t y, int64_t rows, const Taps& taps, const Taps& next,
            int64_t first, int64_t last, Questions& questions) const {
    // Pixels between two checks whether to stop: a row, unless its windows are huge.
    const int64_t pixel_macs = (last - first) * s.kernel_h * s.kernel_w;
    const int64_t pixels = std::max<int64_t>(16 * kWorkPerQuestion / pixel_macs, 4);
    const int64_t in_row = s.in_w * s.channels, out_row = s.out_w * s.channels;
    const auto depthwise_row = Isa<&IsaKernels::depthwise_row>();
    for (int64_t x = 0; x < s.out_w; x += pixels) {
      if (questions.Stop(rows * pixels * pixel_macs)) return;
      depthwise_row({.in = in + picture * s.in_h * in_row + first,
                     .filter = filter + first,
                     .bias = bias == nullptr ? nullptr : bias + first,
                     .out = out + (picture * s.out_h + y) * out_row + x * s.channels + first,
                     .channels = last - first,
                     .in_w = s.in_w,
                     .out_w = std::min(pixels, s.out_w - x),
                     .kernel_h = s.kernel_h,
                     .kernel_w = s.kernel_w,
                     .pitch = s.channels,
                     .stride_w = s.stride_w,
                     .dilation_w = s.dilation_w,
                     .pad_left = s.pad_left - x * s.stride_w,
                     .first_row = (y * s.stride_h - s.pad_top) * in_row,
                     .row_step = s.dilation_h * in_row,
                     .first_ky = taps.first,
                     .last_ky = taps.last,
                     .rows = rows,
                     .in_step = s.stride_h * in_row,
                     .out_step = out_row,
                     .next_first_ky = next.first,
                     .next_last_ky = next.last,
                     .min = min,
                     .max = max});
    }
  }
};

}  // namespace

void DepthwiseConv2D(const DepthwiseConv2DShape& s, const float* in, const float* filter,
                     const float* bias, float min, float max, float* out,
                     const Parallel& parallel) {
  const int64_t out_row = s.out_w * s.channels * s.multiplier;
  if (out_row == 0) return;
  const Split split(s, parallel.threads);
  const int64_t per_picture = split.units_of_picture(s), units = s.batch * per_picture;
  const int64_t unit_macs = split.unit_rows * RowMacs(s) / split.runs;
  const int64_t grain = CeilDiv(kMacsPerThread, std::max<int64_t>(unit_macs, 1));
  const Depthwise depthwise = {s, in, filter, bias, min, max, out};
  ParallelRanges(parallel, units * split.runs, grain, [&](int64_t begin, int64_t end) {
    Questions questions(parallel);
    while (begin < end) {
      const int64_t unit = begin % units, run = begin / units;
      const int64_t picture = unit / per_picture, y = unit % per_picture * split.unit_rows;
      const int64_t rows = std::min({int64_t{2}, s.out_h - y, (end - begin) * split.unit_rows});
      begin += CeilDiv(rows, split.unit_rows);
      if (s.multiplier == 1) {
        depthwise.Compute(picture, y, rows, split.first_channel(s, run),
                          split.first_channel(s, run + 1), questions);
        continue;
      }
      const float* pixels = in + picture * s.in_h * s.in_w * s.channels;
      for (int64_t row = y; row < y + rows; ++row)
        MultipliedRow(s, pixels, filter, bias, min, max, row,
                      out + (picture * s.out_h + row) * out_row, questions);
    }
  });
}

}  // namespace linnet::kernels
