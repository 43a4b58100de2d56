// SPDX-License-Identifier: Apache-2.0
// The inner loops of depthwise convolutions of every instruction set of this machine, compared
// with the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "tests/runtime/kernels/loop_cases.h"

namespace linnet::kernels {
namespace {

struct DepthwiseSizes {
  int64_t channels, in_w, out_w, kernel_h, kernel_w, stride, dilation, pad_left;
};

std::ostream& operator<<(std::ostream& out, const DepthwiseSizes& s) {
  return out << s.channels << " channels, width " << s.in_w << " to " << s.out_w << ", window "
             << s.kernel_h << " x " << s.kernel_w << " / " << s.stride << " * " << s.dilation
             << ", padded by " << s.pad_left;
}

// One or two output rows; the window of the first begins at row `top` of the image.
class DepthwiseCase {
 public:
  DepthwiseCase(const DepthwiseSizes& sizes, bool has_bias)
      : s(sizes),
        in_(Random((s.kernel_h + s.stride) * s.in_w * s.channels, 1)),
        filter_(Random(s.kernel_h * s.kernel_w * s.channels, 2)),
        bias_(has_bias ? Random(s.channels, 3) : std::vector<float>()) {
    // Whoever reads a column that is outside the image meets one of these.
    for (int64_t i = 0; i < in_h(); ++i)
      for (int64_t c = 0; c < s.channels; c += 3)
        in_[(i * s.in_w + (i % 2) * (s.in_w - 1)) * s.channels + c] = INFINITY;
  }

  // Between the rows is an element that must not change.
  std::vector<float> Run(const IsaKernels& kernels, int64_t rows, int64_t top) const {
    const int64_t row = s.in_w * s.channels, out_row = s.out_w * s.channels;
    std::vector<float> out(rows * (out_row + 1), 7.0f);
    kernels.depthwise_row({.in = in_.data(),
                           .filter = filter_.data(),
                           .bias = bias_.empty() ? nullptr : bias_.data(),
                           .out = out.data(),
                           .channels = s.channels,
                           .in_w = s.in_w,
                           .out_w = s.out_w,
                           .kernel_h = s.kernel_h,
                           .kernel_w = s.kernel_w,
                           .pitch = s.channels,
                           .stride_w = s.stride,
                           .dilation_w = s.dilation,
                           .pad_left = s.pad_left,
                           .first_row = top * row,
                           .row_step = row,
                           .first_ky = FirstKy(top),
                           .last_ky = LastKy(top),
                           .rows = rows,
                           .in_step = s.stride * row,
                           .out_step = out_row + 1,
                           .next_first_ky = FirstKy(top + s.stride),
                           .next_last_ky = LastKy(top + s.stride),
                           .min = -1.25f,
                           .max = 1.5f});
    return out;
  }

  std::vector<float> Expected(int64_t rows, int64_t top) const {
    std::vector<float> out(rows * (s.out_w * s.channels + 1), 7.0f);
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t x = 0; x < s.out_w; ++x) {
        for (int64_t c = 0; c < s.channels; ++c) {
          const float sum = Sum(top + i * s.stride, x * s.stride - s.pad_left, c);
          out[i * (s.out_w * s.channels + 1) + x * s.channels + c] =
              sum != sum ? sum : std::clamp(sum, -1.25f, 1.5f);
        }
      }
    }
    return out;
  }

 private:
  int64_t in_h() const { return s.kernel_h + s.stride; }
  int64_t FirstKy(int64_t top) const { return std::max<int64_t>(-top, 0); }
  int64_t LastKy(int64_t top) const { return std::min(s.kernel_h, in_h() - top); }

  float Sum(int64_t top, int64_t left, int64_t c) const {
    float sum = bias_.empty() ? 0 : bias_[c];
    for (int64_t ky = FirstKy(top); ky < LastKy(top); ++ky) {
      for (int64_t kx = 0; kx < s.kernel_w; ++kx) {
        const int64_t x = left + kx * s.dilation;
        if (x < 0 || x >= s.in_w) continue;
        const float pixel = in_[((top + ky) * s.in_w + x) * s.channels + c];
        sum = std::fma(pixel, filter_[(ky * s.kernel_w + kx) * s.channels + c], sum);
      }
    }
    return sum;
  }

  DepthwiseSizes s;
  std::vector<float> in_, filter_, bias_;
};

// Whether the set rounds a product and its sum together, once, as fma does.
bool RoundsOnce([[maybe_unused]] const IsaSet& set) {
#if defined(__aarch64__)
  return true;
#else
  return kLoopSets[0] != InstructionSet::kBaseline || set.kernels != kIsaTables[0];
#endif
}

// Sets that round once have the bits of the definition.
void ExpectEqual(const IsaSet& set, const std::vector<float>& got, const std::vector<float>& want) {
  ASSERT_EQ(got.size(), want.size());
  const bool rounds_once = RoundsOnce(set);
  for (size_t i = 0; i < got.size(); ++i) {
    if (want[i] != want[i]) {
      ASSERT_NE(got[i], got[i]) << "element " << i << " is not a NaN: " << got[i];
    } else if (rounds_once) {
      ASSERT_EQ(std::bit_cast<uint32_t>(got[i]), std::bit_cast<uint32_t>(want[i]))
          << "element " << i << ": " << got[i] << ", want " << want[i];
    } else {
      ASSERT_NEAR(got[i], want[i], 2e-5f) << "element " << i;
    }
  }
}

void ExpectEqualsTheDefinition(const DepthwiseSizes& sizes, std::initializer_list<int64_t> tops) {
  if (sizes.out_w < 1) return;
  const DepthwiseCase rows(sizes, (sizes.channels + sizes.in_w) % 4 != 0);
  for (const IsaSet& set : UsableSets()) {
    for (const int64_t count : {1, 2}) {
      for (const int64_t top : tops) {
        SCOPED_TRACE(testing::Message() << set.name << ": " << sizes << "; " << count
                                        << " rows, the first at " << top);
        ExpectEqual(set, rows.Run(*set.kernels, count, top), rows.Expected(count, top));
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

// Padded on the left by as much as fits each kind of padding: VALID, and SAME of both parities.
TEST(DepthwiseRows, EqualTheDefinitionWithSquareWindows) {
  for (const int64_t channels : {1, 7, 8, 9, 15, 16, 17, 24, 32, 49}) {
    for (const int64_t kernel : {3, 5}) {
      for (const int64_t stride : {1, 2}) {
        for (const int64_t in_w : {5, 7, 14, 19, 33, 40}) {
          for (int64_t pad = 0; pad <= kernel / 2; ++pad) {
            for (int64_t after = std::max<int64_t>(pad - 1, 0); after <= kernel / 2; ++after) {
              const int64_t out_w = (in_w + pad + after - kernel) / stride + 1;
              ExpectEqualsTheDefinition({channels, in_w, out_w, kernel, kernel, stride, 1, pad},
                                        {-2, -1, 0, 1, 2});
              if (HasFatalFailure()) return;
            }
          }
        }
      }
    }
  }
}

TEST(DepthwiseRows, EqualTheDefinitionWithAnyWindow) {
  for (int64_t channels = 1; channels <= 50; channels += channels < 18 ? 1 : 5) {
    for (const int64_t kernel_w : {1, 2, 3, 5, 7}) {
      for (const int64_t stride : {1, 2, 3}) {
        for (const int64_t dilation : {1, 2}) {
          for (const int64_t in_w : {5, 6, 7, 9, 12, 14, 19, 33}) {
            const int64_t reach = (kernel_w - 1) * dilation, pad = kernel_w / 2;
            const int64_t out_w =
                in_w + 2 * pad > reach ? (in_w + 2 * pad - reach - 1) / stride + 1 : 0;
            ExpectEqualsTheDefinition({channels, in_w, out_w, 3, kernel_w, stride, dilation, pad},
                                      {-1, 0, 1});
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace linnet::kernels
