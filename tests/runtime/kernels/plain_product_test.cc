// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/plain_product.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace linnet::kernels {
namespace {

// Programs without packing read the panels of plans with it (tests/models/embedded), which is why
// it has to give the bits that it gives for rows.
TEST(PlainProduct, PanelsAndRowsAreTheSame) {
  constexpr int64_t kRows = 7, kTaps = 3, kDepth = 5;
  std::vector<float> left(kRows * kTaps * kDepth), bias(64);
  for (size_t i = 0; i < left.size(); ++i) left[i] = static_cast<float>(i * 37 % 23) / 7 - 1;
  for (size_t i = 0; i < bias.size(); ++i) bias[i] = static_cast<float>(i) / 3;
  std::vector<const float*> a(kRows * kTaps);
  for (size_t i = 0; i < a.size(); ++i) a[i] = left.data() + i * kDepth;
  for (const int64_t cols : {1, 4, 7, 8, 9, 16, 18, 24, 25, 40, 64}) {
    std::vector<float> filter(static_cast<size_t>(cols * kTaps * kDepth));
    for (size_t i = 0; i < filter.size(); ++i) filter[i] = static_cast<float>(i * 31 % 19) / 9 - 1;
    std::vector<float> panels(static_cast<size_t>(PackedFloats(kTaps * kDepth, cols)));
    const MatrixView rows = {filter.data(), 1, kTaps * kDepth};
    PackPanels(rows, kTaps * kDepth, cols, kTaps * kDepth, 0, panels.data());
    const auto product = [&](bool in_panels) {
      std::vector<float> result(static_cast<size_t>(kRows * cols));
      float* out[kRows];
      for (int64_t m = 0; m < kRows; ++m) out[m] = result.data() + m * cols;
      GemmBlock block;
      block.rows = kRows;
      block.cols = cols;
      block.taps = kTaps;
      block.depth = kDepth;
      block.a = a.data();
      if (in_panels)
        block.panels = panels.data();
      else
        block.plain = rows;
      block.bias = bias.data();
      block.out = out;
      block.min = -1;
      block.max = std::numeric_limits<float>::infinity();
      PlainProduct(block);
      return result;
    };
    EXPECT_EQ(product(true), product(false)) << cols << " columns";
  }
}

}  // namespace
}  // namespace linnet::kernels
