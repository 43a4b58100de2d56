// SPDX-License-Identifier: Apache-2.0
// Which extents that are no sums of symbols are equal.
#include "converter/graph/quotient.h"

#include <gtest/gtest.h>

#include "runtime/ops/conv2d.h"
#include "runtime/ops/pool2d.h"
#include "runtime/ops/window.h"

namespace linnet::converter {
namespace {

class QuotientTest : public testing::Test {
 protected:
  Quotient Reduced(Extent of, int64_t divisor) const {
    return ReducedQuotient(symbols_, {{std::move(of)}, divisor});
  }
  static Quotient Of(const Extent& of, int64_t divisor) { return {{of}, divisor}; }
  std::optional<int> Find(const Quotient& quotient) const {
    return FindQuotient(symbols_, quotient);
  }

  SymbolTable symbols_;
  const int n_ = symbols_.Add("n", 1, 100), half_ = symbols_.Add("half", 0, 50);
  const Extent n = Extent::OfSymbol(n_), half = Extent::OfSymbol(half_);
};

TEST_F(QuotientTest, IsReduced) {
  EXPECT_EQ(Reduced(n * 2 + 1, 4), Of(n, 2));
  EXPECT_EQ(Reduced(n * 2 - 1, 4), Of(n - 1, 2)) << "rounds down below 0 too";
  EXPECT_EQ(Reduced(n * 6 + 5, 4), Of(n * 3 + 2, 2));
  EXPECT_EQ(Reduced(n + 1, 2), Of(n + 1, 2));
}

TEST_F(QuotientTest, HasNoQuotientInside) {
  symbols_.Define(half_, Reduced(n + 1, 2));
  EXPECT_EQ(Reduced(half + 1, 2), Of(n + 3, 4));
  EXPECT_EQ(Reduced(half - 1, 3), Of(n - 1, 6));
  for (int64_t value = 0; value <= 100; ++value)
    EXPECT_EQ(((value + 1) / 2 + 1) / 2, (value + 3) / 4) << value;
  EXPECT_EQ(Reduced(half * 3, 2), Of(half * 3, 2)) << "of a multiple nothing is known";
}

TEST_F(QuotientTest, IsFoundAgain) {
  EXPECT_EQ(Find(Reduced(n + 1, 2)), std::nullopt);
  symbols_.Define(half_, Reduced(n + 1, 2));
  EXPECT_EQ(Find(Reduced(n + 1, 2)), half_);
  EXPECT_EQ(Find(Reduced(n, 2)), std::nullopt);
  EXPECT_EQ(Find(Reduced(n + 1, 3)), std::nullopt);
  const int m = symbols_.Add("m", 1, 100);
  EXPECT_EQ(Find(Reduced(Extent::OfSymbol(m) + 1, 2)), std::nullopt);
  symbols_.Merge(n_, m);
  EXPECT_EQ(Find(Reduced(Extent::OfSymbol(m) + 1, 2)), half_);
}

TEST_F(QuotientTest, MayBeOfAProduct) {
  const int m_ = symbols_.Add("m", 1, 100), product_ = symbols_.Add("product", 0, 10000);
  const Extent m = Extent::OfSymbol(m_), product = Extent::OfSymbol(product_);
  const auto reduced = [&](std::vector<Extent> factors, int64_t divisor) {
    return ReducedQuotient(symbols_, {std::move(factors), divisor});
  };
  symbols_.Define(product_, reduced({m, n}, 1));
  EXPECT_EQ(reduced({n, m}, 1), reduced({m, n}, 1)) << "in any order";
  EXPECT_EQ(Find(reduced({n, m}, 1)), product_);
  EXPECT_EQ(Reduced(product, 1), reduced({m, n}, 1));
  EXPECT_EQ(Reduced(product * 64, 512), reduced({m, n}, 8)) << "a product inside, and 64 cancels";
  EXPECT_EQ(reduced({m * 2, n * 6}, 4), reduced({m * 3, n}, 1));
  EXPECT_EQ(reduced({product, m}, 1), reduced({m, m, n}, 1));
  EXPECT_EQ(reduced({m, 4}, 2), Of(m * 2, 1));
  EXPECT_EQ(Reduced(product + 1, 2), Of(product + 1, 2)) << "of a sum with a product";
  EXPECT_NE(reduced({m, m}, 1), reduced({m, n}, 1));
  SymbolTable::Values values = symbols_.Largest();
  values[static_cast<size_t>(n_)] = 5;
  values[static_cast<size_t>(m_)] = 7;
  EXPECT_EQ(symbols_.Value(reduced({m, n}, 4), values), 8);
}

// Twice the half of a picture, rounded up, is at least the picture, and so on for halves of halves.
TEST_F(QuotientTest, IsComparedWithWhatItIsOf) {
  const auto quotient = [&](const Extent& of, int64_t divisor) {
    const int symbol = symbols_.Add("q", 0, 100);
    symbols_.Define(symbol, Reduced(of, divisor));
    return Extent::OfSymbol(symbol);
  };
  const Extent up = quotient(n + 1, 2), down = quotient(n, 2), quarter = quotient(up + 1, 2);
  EXPECT_TRUE(symbols_.AtLeast(up * 2, n));
  EXPECT_FALSE(symbols_.AtLeast(n, up * 2));
  EXPECT_TRUE(symbols_.AtLeast(n + 1, up * 2));
  EXPECT_TRUE(symbols_.AtLeast(n, down * 2));
  EXPECT_FALSE(symbols_.AtLeast(down * 2, n));
  EXPECT_TRUE(symbols_.AtLeast(down * 2 + 1, n));
  EXPECT_TRUE(symbols_.AtLeast(quarter * 2, up));
  EXPECT_TRUE(symbols_.AtLeast(quarter * 4, n));
  EXPECT_FALSE(symbols_.AtLeast(quarter * 2, up + 1));
  EXPECT_TRUE(symbols_.AtLeast(up, down));
  const Extent third = quotient(n + 2, 3);
  EXPECT_TRUE(symbols_.AtLeast(third * 3, n));
  EXPECT_TRUE(symbols_.AtLeast(up * 3 + third * 6, n * 3)) << "several divisors";
}

// Says what the shape rule computes, for windows of all kinds.
TEST_F(QuotientTest, OfAWindowIsItsShapeRule) {
  const Extent picture[] = {1, n, 7, 3};
  const InputInfo inputs[] = {{{DType::kFloat32, {1, 100, 7, 3}}},
                              {{DType::kFloat32, {4, 5, 3, 3}}}};
  for (const bool same : {false, true})
    for (const int stride : {1, 2, 3})
      for (const int dilation : {1, 2}) {
        Conv2DAttrs conv;
        conv.stride_h = stride;
        conv.dilation_h = dilation;
        conv.same = same;
        if (!same) conv.pad_top = conv.pad_bottom = 2;
        const auto quotient = WindowQuotient(conv, inputs, picture, 1);
        ASSERT_TRUE(quotient);
        for (int64_t rows = 9; rows <= 40; ++rows) {
          int64_t out_h = 0, out_w = 0;
          ASSERT_TRUE(WindowOutputs(conv, rows, 7, 5, 3, &out_h, &out_w).ok());
          SymbolTable::Values values = symbols_.Largest();
          values[static_cast<size_t>(n_)] = rows;
          EXPECT_EQ(symbols_.Value(*quotient, values), out_h)
              << same << stride << dilation << " " << rows;
        }
      }
}

TEST_F(QuotientTest, IsKnownOfHeightAndWidthOfWindowsOnly) {
  const Extent picture[] = {1, n, 7, 3};
  const InputInfo input[] = {{{DType::kFloat32, {1, 100, 7, 3}}}};
  const Pool2DAttrs pool{.kind = schema::PoolKind::Max, .window_h = 2, .window_w = 2};
  EXPECT_TRUE(WindowQuotient(pool, input, picture, 2));
  EXPECT_FALSE(WindowQuotient(pool, input, picture, 0));
  EXPECT_FALSE(WindowQuotient(pool, input, picture, 3));
}

}  // namespace
}  // namespace linnet::converter
