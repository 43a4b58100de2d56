// SPDX-License-Identifier: Apache-2.0
// Winograd's method against sums in double precision, for extents that tiles do and do not fit.
#include "runtime/kernels/winograd_conv2d.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "tests/runtime/kernels/random_floats.h"

namespace linnet::kernels {
namespace {

struct WinogradCase {
  int64_t batch, in_h, in_w, in_channels, out_channels;
  int64_t pad_top, pad_bottom, pad_left, pad_right;
};

Conv2DShape PaddedShape(const WinogradCase& c) {
  return {.batch = c.batch,
          .in_h = c.in_h,
          .in_w = c.in_w,
          .in_channels = c.in_channels,
          .kernel_h = 3,
          .kernel_w = 3,
          .out_h = c.in_h + c.pad_top + c.pad_bottom - 2,
          .out_w = c.in_w + c.pad_left + c.pad_right - 2,
          .out_channels = c.out_channels,
          .stride_h = 1,
          .stride_w = 1,
          .dilation_h = 1,
          .dilation_w = 1,
          .pad_top = c.pad_top,
          .pad_left = c.pad_left,
          .groups = 1};
}

double WindowSum(const Conv2DShape& s, const std::vector<float>& in,
                 const std::vector<float>& filter, int64_t row, int64_t o) {
  const int64_t x = row % s.out_w, y = row / s.out_w % s.out_h, n = row / s.out_w / s.out_h;
  double sum = 0;
  for (int64_t tap = 0; tap < 9; ++tap) {
    const int64_t iy = y - s.pad_top + tap / 3, ix = x - s.pad_left + tap % 3;
    if (iy < 0 || iy >= s.in_h || ix < 0 || ix >= s.in_w) continue;
    const float* pixel = in.data() + ((n * s.in_h + iy) * s.in_w + ix) * s.in_channels;
    const float* weights = filter.data() + (o * 9 + tap) * s.in_channels;
    for (int64_t c = 0; c < s.in_channels; ++c) sum += double{pixel[c]} * weights[c];
  }
  return sum;
}

class WinogradConv : public testing::TestWithParam<int> {
 protected:
  // The largest error over the largest magnitude.
  double Error(const WinogradCase& c, float min, float max) const {
    const Conv2DShape s = PaddedShape(c);
    const auto in = Random(s.batch * s.in_h * s.in_w * s.in_channels, 1);
    const auto filter = Random(s.out_channels * s.depth(), 2), bias = Random(s.out_channels, 3);
    std::vector<float> packed(PackedWinogradFloats(s, GetParam()));
    PackWinograd(s, GetParam(), filter.data(), packed.data());
    const std::unique_ptr<char, void (*)(char*)> scratch(
        static_cast<char*>(
            ::operator new (WinogradScratchBytes(s, GetParam(), 1), std::align_val_t{64})),
        [](char* memory) { ::operator delete (memory, std::align_val_t{64}); });
    std::vector<float> out(s.rows() * s.out_channels, std::numeric_limits<float>::quiet_NaN());
    WinogradConv2D(s, GetParam(), in.data(), packed.data(), bias.data(), min, max, out.data(),
                   scratch.get(), {});
    double error = 0, magnitude = 0;
    for (int64_t row = 0; row < s.rows(); ++row) {
      for (int64_t o = 0; o < s.out_channels; ++o) {
        const double sum = WindowSum(s, in, filter, row, o) + bias[o];
        const double want = std::clamp<double>(sum, min, max);
        magnitude = std::max(magnitude, std::fabs(sum));
        const double difference = std::fabs(out[row * s.out_channels + o] - want);
        error = std::isnan(difference) ? difference : std::max(error, difference);
      }
    }
    return error / magnitude;
  }
};

constexpr float kUnlimited = std::numeric_limits<float>::infinity();

TEST_P(WinogradConv, EqualsTheSumsOfWindows) {
  const WinogradCase cases[] = {{1, 8, 8, 16, 16, 1, 1, 1, 1},    {2, 7, 9, 19, 37, 1, 1, 1, 1},
                                {1, 3, 3, 8, 8, 0, 0, 0, 0},      {1, 5, 6, 3, 5, 0, 1, 2, 0},
                                {3, 1, 1, 4, 90, 1, 1, 1, 1},     {1, 4, 5, 1, 1, 3, 4, 5, 6},
                                {1, 20, 21, 40, 130, 1, 1, 1, 1}, {1, 6, 40, 300, 8, 1, 1, 1, 1}};
  for (const WinogradCase& c : cases) {
    EXPECT_LT(Error(c, -kUnlimited, kUnlimited), 2e-6)
        << c.in_h << " x " << c.in_w << ", " << c.in_channels << " to " << c.out_channels;
    EXPECT_LT(Error(c, -0.5f, 0.75f), 2e-6) << "with a range";
  }
}

TEST_P(WinogradConv, DeepSumsStayAccurate) {
  EXPECT_LT(Error({1, 7, 7, 2000, 16, 1, 1, 1, 1}, -kUnlimited, kUnlimited), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Tiles, WinogradConv, testing::Values(2, 4));

}  // namespace
}  // namespace linnet::kernels
