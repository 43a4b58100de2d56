// SPDX-License-Identifier: Apache-2.0
// Inner loops of every instruction set of this machine, compared with the definition. The
// conformance cases test only the set that the machine prefers.
#include "runtime/kernels/isa.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/runtime/kernels/random_floats.h"

namespace linnet::kernels {
namespace {

constexpr float kNoBound = std::numeric_limits<float>::infinity();

struct Set {
  const char* name;
  const IsaKernels* kernels;
};
std::vector<Set> NamedSets() {
  return {{"baseline", &BaselineIsa()}, {"preferred", &PreferredIsa()}};
}

struct GemmSizes {
  int64_t rows, cols, taps, depth;
};

// A product whose taps are `taps` matrices apart, as GemmBlock's pointers allow.
class GemmCase {
 public:
  GemmCase(const GemmSizes& sizes, bool panels_per_tap)
      : s_(sizes),
        per_tap_(panels_per_tap),
        a_(Random(s_.taps * s_.rows * s_.depth, 1)),
        b_(Random(s_.taps * s_.depth * s_.cols, 2)),
        bias_(Random(s_.cols, 3)),
        panels_(PackedFloats(s_.taps * s_.depth, s_.cols)) {
    for (int64_t t = 0; t < s_.taps; ++t) {
      float* tap_panels = panels_.data() + (per_tap_ ? t * PackedFloats(s_.depth, s_.cols) : 0);
      PackPanels({b_.data() + t * s_.depth * s_.cols, s_.cols, 1}, s_.depth, s_.cols,
                 per_tap_ ? s_.depth : s_.taps * s_.depth, per_tap_ ? 0 : t * s_.depth, tap_panels);
      tap_panels_.push_back(tap_panels);
      for (int64_t m = 0; m < s_.rows; ++m)
        a_rows_.push_back(a_.data() + (t * s_.rows + m) * s_.depth);
    }
  }

  // Rows of the output are `cols` + 1 apart: the element between them must not change.
  std::vector<float> Run(const IsaKernels& kernels) const {
    std::vector<float> out(s_.rows * (s_.cols + 1), 7.0f);
    std::vector<float*> out_rows;
    for (int64_t m = 0; m < s_.rows; ++m) out_rows.push_back(out.data() + m * (s_.cols + 1));
    GemmBlock block;
    block.rows = s_.rows;
    block.cols = s_.cols;
    block.taps = s_.taps;
    block.depth = s_.depth;
    block.a = a_rows_.data();
    block.panels = per_tap_ ? nullptr : panels_.data();
    block.tap_panels = per_tap_ ? tap_panels_.data() : nullptr;
    block.bias = bias_.data();
    block.out = out_rows.data();
    block.min = -1.5f;
    block.max = 1.25f;
    kernels.gemm(block);
    return out;
  }

  std::vector<float> Expected() const {
    std::vector<float> out(s_.rows * (s_.cols + 1), 7.0f);
    for (int64_t m = 0; m < s_.rows; ++m) {
      for (int64_t n = 0; n < s_.cols; ++n) {
        double sum = bias_[n];
        for (int64_t t = 0; t < s_.taps; ++t)
          for (int64_t k = 0; k < s_.depth; ++k)
            sum +=
                double{a_[(t * s_.rows + m) * s_.depth + k]} * b_[(t * s_.depth + k) * s_.cols + n];
        out[m * (s_.cols + 1) + n] = static_cast<float>(std::fmin(std::fmax(sum, -1.5), 1.25));
      }
    }
    return out;
  }

 private:
  GemmSizes s_;
  bool per_tap_;
  std::vector<float> a_, b_, bias_, panels_;
  std::vector<const float*> a_rows_, tap_panels_;
};

void ExpectNear(const std::vector<float>& got, const std::vector<float>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], 2e-5f) << "element " << i;
}

TEST(Gemm, EqualsTheDefinition) {
  for (const Set& set : NamedSets()) {
    for (int64_t rows : {1, 2, 3, 4, 5, 6, 7, 13}) {
      for (int64_t cols : {1, 4, 7, 8, 9, 16, 17, 24, 25, 64, 70, 131}) {
        for (bool panels_per_tap : {false, true}) {
          SCOPED_TRACE(testing::Message() << set.name << " " << rows << " x " << cols);
          const GemmCase test({rows, cols, 3, 5}, panels_per_tap);
          ExpectNear(test.Run(*set.kernels), test.Expected());
        }
      }
    }
  }
}

// Work can be split anywhere because each element has the same bits in any tile.
TEST(Gemm, DoesNotDependOnTheTile) {
  for (const Set& set : NamedSets()) {
    const std::vector<float> row = GemmCase({1, 80, 1, 200}, false).Run(*set.kernels);
    const std::vector<float> rows = GemmCase({11, 80, 1, 200}, false).Run(*set.kernels);
    for (int64_t n = 0; n < 80; ++n) EXPECT_EQ(row[n], rows[n]) << set.name << " column " << n;
  }
}

TEST(Gemm, KeepsNan) {
  for (const Set& set : NamedSets()) {
    const float a[] = {NAN}, *rows[] = {a};
    std::vector<float> panels(PackedFloats(1, 20), 1.0f), out(20);
    float* out_rows[] = {out.data()};
    GemmBlock block;
    block.rows = 1;
    block.cols = 20;
    block.depth = 1;
    block.a = rows;
    block.panels = panels.data();
    block.out = out_rows;
    block.max = 6;
    set.kernels->gemm(block);
    for (float value : out) EXPECT_TRUE(std::isnan(value)) << set.name;
  }
}

// One row of a picture, without vertical taps: 1 x kernel_w windows.
struct DepthwiseSizes {
  int64_t channels, in_w, kernel_w, stride, dilation, pad, rows;

  int64_t out_w() const { return (in_w + 2 * pad - (kernel_w - 1) * dilation - 1) / stride + 1; }
};

// One row of a depthwise convolution whose window covers `rows` rows.
void ExpectDepthwiseRow(const IsaKernels& kernels, const DepthwiseSizes& s) {
  const auto in = Random(s.rows * s.in_w * s.channels, 1);
  const auto filter = Random(s.rows * s.kernel_w * s.channels, 2), bias = Random(s.channels, 3);
  std::vector<float> out(s.out_w() * s.channels), want(out.size());
  kernels.depthwise_row({.in = in.data(),
                         .filter = filter.data(),
                         .bias = bias.data(),
                         .out = out.data(),
                         .channels = s.channels,
                         .in_w = s.in_w,
                         .out_w = s.out_w(),
                         .kernel_w = s.kernel_w,
                         .stride_w = s.stride,
                         .dilation_w = s.dilation,
                         .pad_left = s.pad,
                         .first_row = 0,
                         .row_step = s.in_w * s.channels,
                         .first_ky = 0,
                         .last_ky = s.rows,
                         .min = -kNoBound,
                         .max = 1.5f});
  for (int64_t i = 0; i < s.out_w() * s.channels; ++i) {
    const int64_t x = i / s.channels, c = i % s.channels;
    double sum = bias[c];
    for (int64_t k = 0; k < s.rows * s.kernel_w; ++k) {
      const int64_t row = k / s.kernel_w, at = x * s.stride - s.pad + k % s.kernel_w * s.dilation;
      if (at < 0 || at >= s.in_w) continue;
      sum += double{in[(row * s.in_w + at) * s.channels + c]} * filter[k * s.channels + c];
    }
    want[i] = std::min(static_cast<float>(sum), 1.5f);
  }
  ExpectNear(out, want);
}

TEST(DepthwiseRow, EqualsTheDefinition) {
  for (const Set& set : NamedSets()) {
    for (int64_t channels : {1, 3, 4, 7, 8, 15, 16, 21, 48}) {
      for (int64_t kernel : {1, 2, 3, 5, 7}) {
        for (int64_t stride : {1, 2, 3}) {
          for (int64_t dilation : {1, 2}) {
            for (int64_t in_w : {5, 6, 9, 19}) {
              const DepthwiseSizes sizes = {channels, in_w,       kernel, stride,
                                            dilation, kernel / 2, 3};
              if (in_w + 2 * sizes.pad <= (kernel - 1) * dilation) continue;
              SCOPED_TRACE(testing::Message()
                           << set.name << ": " << channels << " channels, width " << in_w
                           << ", window " << kernel << " / " << stride << " * " << dilation);
              ExpectDepthwiseRow(*set.kernels, sizes);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace linnet::kernels
