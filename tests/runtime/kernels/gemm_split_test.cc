// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "runtime/kernels/gemm_split.h"

namespace linnet::kernels {
namespace {

struct ProductSize {
  int64_t rows, cols, depth;
};

// Elements of the output in each thread's run of pieces (ForEachPiece).
std::vector<int64_t> SharesOfThreads(const GemmSplit& split, int64_t slots) {
  std::vector<int64_t> shares;
  for (int64_t slot = 0; slot < slots; ++slot) {
    int64_t elements = 0;
    for (int64_t piece = split.pieces() * slot / slots; piece < split.pieces() * (slot + 1) / slots;
         ++piece)
      elements += (split.row_end(piece) - split.row_begin(piece)) *
                  (split.col_end(piece) - split.col_begin(piece));
    shares.push_back(elements);
  }
  return shares;
}

TEST(GemmSplit, CoversEachElementOnce) {
  for (const ProductSize& p : {ProductSize{1, 1, 1},
                               {1, 1000, 1280},
                               {49, 576, 96},
                               {49, 96, 576},
                               {196, 40, 240},
                               {841, 64, 288},
                               {128, 384, 1536},
                               {97, 17, 5}}) {
    for (const int64_t slots : {1, 2, 3, 8, 64}) {
      const int64_t most = GemmBlockRows(p.depth);
      const GemmSplit split(p.rows, p.cols, p.depth, most, slots);
      std::vector<int> seen(p.rows * p.cols);
      for (int64_t piece = 0; piece < split.pieces(); ++piece) {
        EXPECT_LE(split.row_end(piece) - split.row_begin(piece), most);
        EXPECT_EQ(split.col_begin(piece) % kPanelCols, 0);
        for (int64_t row = split.row_begin(piece); row < split.row_end(piece); ++row)
          for (int64_t col = split.col_begin(piece); col < split.col_end(piece); ++col)
            ++seen[row * p.cols + col];
      }
      EXPECT_EQ(seen, std::vector<int>(seen.size(), 1))
          << p.rows << " x " << p.cols << ", " << slots << " threads";
    }
  }
}

// The products of small convolutional networks, whose pieces are too large for a thread to make up
// for a larger share.
TEST(GemmSplit, GivesTwoThreadsEqualShares) {
  for (const ProductSize& p : {ProductSize{49, 576, 96},
                               {49, 96, 576},
                               {64, 96, 96},
                               {196, 40, 240},
                               {256, 128, 64},
                               {841, 64, 288},
                               {128, 384, 1536},
                               {3136, 24, 72}}) {
    const std::vector<int64_t> shares =
        SharesOfThreads(GemmSplit(p.rows, p.cols, p.depth, GemmBlockRows(p.depth), 2), 2);
    EXPECT_NEAR(static_cast<double>(shares[0]), static_cast<double>(shares[1]),
                0.03 * static_cast<double>(p.rows * p.cols))
        << p.rows << " x " << p.cols << " of depth " << p.depth;
  }
}

// Rows stay with the thread that has probably made them, as long as there are not too many weights.
TEST(GemmSplit, GivesThreadsRowsUnlessThereAreManyWeights) {
  const auto has_whole_rows = [](int64_t rows, int64_t cols, int64_t depth) {
    const GemmSplit split(rows, cols, depth, GemmBlockRows(depth), 2);
    const int64_t half = split.pieces() / 2;
    return split.row_end(half - 1) <= split.row_begin(half);
  };
  EXPECT_TRUE(has_whole_rows(49, 96, 576));
  EXPECT_TRUE(has_whole_rows(196, 512, 512));
  EXPECT_TRUE(has_whole_rows(3136, 24, 72));
  EXPECT_FALSE(has_whole_rows(40, 2048, 512));
  EXPECT_FALSE(has_whole_rows(1, 1000, 1280));
}

// Else each row is pointed to for each of its parts, and the output's lines go to several pieces.
TEST(GemmSplit, DividesNoRowsWhereTheCacheHasAllWeights) {
  const auto divides_rows = [](int64_t rows, int64_t cols, int64_t depth) {
    const GemmSplit split(rows, cols, depth, GemmBlockRows(depth), 2);
    return split.col_end(0) < cols;
  };
  EXPECT_FALSE(divides_rows(49, 96, 576));
  EXPECT_FALSE(divides_rows(576, 64, 64));
  EXPECT_TRUE(divides_rows(128, 2048, 512));
}

TEST(GemmSplit, HasNoPiecesWithoutOutput) {
  EXPECT_EQ(GemmSplit(0, 16, 4, 24, 2).pieces(), 0);
  EXPECT_EQ(GemmSplit(4, 0, 4, 24, 2).pieces(), 0);
}

}  // namespace
}  // namespace linnet::kernels
