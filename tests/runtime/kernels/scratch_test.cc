// SPDX-License-Identifier: Apache-2.0
// Sizes of packed filters and scratch memory: large enough for each smaller shape, and without
// overflow.
#include <gtest/gtest.h>

#include "runtime/kernels/attention.h"
#include "runtime/kernels/batch_matmul.h"
#include "runtime/kernels/conv2d.h"
#include "runtime/kernels/gemm.h"
#include "runtime/kernels/non_max_suppression.h"
#include "runtime/kernels/resize.h"
#include "runtime/kernels/resize_bicubic.h"
#include "runtime/kernels/top_k.h"
#include "runtime/kernels/transpose_conv2d.h"
#include "runtime/kernels/winograd_conv2d.h"

namespace linnet::kernels {
namespace {

Conv2DShape Convolution(int64_t kernel_h, int64_t kernel_w, int64_t channels, int64_t stride) {
  return {.batch = 1,
          .in_h = 99,
          .in_w = 99,
          .in_channels = channels,
          .kernel_h = kernel_h,
          .kernel_w = kernel_w,
          .out_h = 9,
          .out_w = 9,
          .out_channels = 8,
          .stride_h = stride,
          .stride_w = stride,
          .dilation_h = 1,
          .dilation_w = 1,
          .pad_top = 0,
          .pad_left = 0,
          .groups = 1};
}

TransposeConv2DShape Transposed(int64_t kernel_h, int64_t kernel_w, int64_t channels) {
  TransposeConv2DShape shape{};
  shape.batch = shape.stride_h = shape.stride_w = shape.dilation_h = shape.dilation_w = 1;
  shape.kernel_h = kernel_h;
  shape.kernel_w = kernel_w;
  shape.in_channels = channels;
  shape.out_channels = 8;
  return shape;
}

TEST(Scratch, BoundHoldsForAllSmallerFilters) {
  const int64_t kernels[] = {1, 2, 3, 7, 20}, channels[] = {1, 3, 15, 16, 17, 100, 2000, 5000};
  for (const int64_t stride : {1, 5}) {
    for (const int64_t most_h : kernels)
      for (const int64_t most_w : kernels)
        for (const int64_t most : channels) {
          const int64_t bound = Conv2DScratchBound(Convolution(most_h, most_w, most, stride), 2);
          const int64_t transposed =
              TransposeConv2DScratchBound(Transposed(most_h, most_w, most), 2);
          for (const int64_t h : kernels)
            for (const int64_t w : kernels)
              for (const int64_t c : channels) {
                if (h > most_h || w > most_w || c > most) continue;
                EXPECT_LE(Conv2DScratchBytes(Convolution(h, w, c, stride), 2), bound)
                    << h << " " << w << " " << c << " of " << most_h << " " << most_w << " "
                    << most;
                EXPECT_LE(TransposeConv2DScratchBytes(Transposed(h, w, c), 2), transposed);
              }
        }
  }
}

// Extents that vary are planned with the largest.
TEST(Scratch, WinogradNeedsNoMoreForFewerPixels) {
  for (const int outputs : {2, 4}) {
    for (const int64_t channels : {1, 16, 700}) {
      int64_t most = 0;
      for (int64_t side = 0; side < 60; ++side) {
        Conv2DShape shape = Convolution(3, 3, channels, 1);
        shape.out_h = shape.out_w = side;
        const int64_t bytes = WinogradScratchBytes(shape, outputs, 3);
        EXPECT_GE(bytes, most) << side << " pixels, " << channels << " channels";
        most = bytes;
      }
    }
  }
}

TEST(Scratch, TopKNeedsNoMoreForFewerColumns) {
  for (const int64_t k : {1, 100, 5000}) {
    int64_t most = 0;
    for (int64_t cols = k; cols < 400000; cols += 977) {
      const int64_t bytes = TopKScratch(cols, k, 8);
      EXPECT_GE(bytes, most) << cols << " columns";
      most = bytes;
    }
    EXPECT_EQ(most, 8 * k * 4);
  }
}

TEST(Scratch, AttentionNeedsNoMoreForFewerColumns) {
  for (const bool packs : {true, false}) {
    int64_t most = 0;
    for (int64_t cols = 0; cols < 5000; cols += 7) {
      const int64_t bytes = AttentionScratchBytes({1, 2, 2, 9, cols, 20, 30, 1.0f}, packs, 3);
      EXPECT_GE(bytes, most) << cols << " columns";
      most = bytes;
    }
  }
}

TEST(Scratch, SizesThatDoNotFitSaturate) {
  constexpr int64_t kHuge = int64_t{1} << 40;
  EXPECT_EQ(PackedFloats(kHuge, kHuge), INT64_MAX);
  EXPECT_EQ(PackedFloats(8, INT64_MAX), INT64_MAX);
  const Conv2DShape conv = Convolution(kHuge, kHuge, kHuge, 1);
  EXPECT_EQ(PackedConv2DFloats(conv), INT64_MAX);
  Conv2DShape wide = Convolution(3, 3, kHuge, 1);
  wide.out_channels = wide.out_h = kHuge;
  EXPECT_EQ(PackedWinogradFloats(wide, 4), INT64_MAX);
  wide.in_channels = INT64_MAX / 16;
  EXPECT_EQ(WinogradScratchBytes(wide, 4, 4), INT64_MAX);
  EXPECT_EQ(Conv2DScratchBytes(conv, 8), INT64_MAX);
  EXPECT_EQ(Conv2DScratchBound(conv, 8), INT64_MAX);
  const TransposeConv2DShape transposed = Transposed(kHuge, kHuge, kHuge);
  EXPECT_EQ(PackedTransposeConv2DFloats(transposed), INT64_MAX);
  EXPECT_EQ(TransposeConv2DScratchBytes(transposed, 8), INT64_MAX);
  EXPECT_EQ(TransposeConv2DScratchBound(transposed, 8), INT64_MAX);
  BatchMatMulShape product{};
  product.depth = product.cols = product.b_matrices = int64_t{1} << 58;
  EXPECT_EQ(PackedBatchMatMulFloats(product), INT64_MAX);
  EXPECT_EQ(BatchMatMulScratchBytes(product, OperandB::kPackedInRun, 8), INT64_MAX);
  const AttentionShape attention = {1, 1, 1, 1, int64_t{1} << 58, 64, 64, 1.0f};
  EXPECT_EQ(AttentionScratchBytes(attention, true, 8), INT64_MAX);
  EXPECT_EQ(AttentionScratchBytes(attention, false, 8), INT64_MAX);
  ResizeJob resize{};
  resize.in_w = resize.out_w = resize.channels = int64_t{1} << 60;
  EXPECT_EQ(ResizeBilinearScratch(resize, 8), INT64_MAX);
  EXPECT_EQ(ResizeNearestScratch(resize), INT64_MAX);
  EXPECT_EQ(ResizeBicubicScratch(resize, 8), INT64_MAX);
  NonMaxSuppressionJob suppression{};
  suppression.boxes = suppression.max_outputs = int64_t{1} << 60;
  EXPECT_EQ(NonMaxSuppressionScratch(suppression), INT64_MAX);
}

}  // namespace
}  // namespace linnet::kernels
