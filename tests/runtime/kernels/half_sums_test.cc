// SPDX-License-Identifier: Apache-2.0
// Products in halves add what encoded_filter.h says, bit by bit, for each size of tile.
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>
#include <vector>

#include "runtime/core/encoding.h"
#include "runtime/core/half.h"
#include "runtime/kernels/fully_connected.h"

namespace linnet::kernels {
namespace {

struct Sizes {
  int64_t rows, cols, taps, depth;
};

float Rounded(float value) { return HalfToFloat(FloatToHalf(value)); }

EncodedFilter FilterOf(const std::vector<uint16_t>& halves) {
  return MakeEncodedFilter({.data = reinterpret_cast<const std::byte*>(halves.data()),
                            .encoding = schema::Encoding::Panels16Float16},
                           /*in_halves=*/true);
}

// Few bits, so that a float holds the sum of a half and a product, and is rounded once.
std::vector<float> FewBits(int64_t count, uint32_t seed) {
  std::minstd_rand generator(seed);
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = static_cast<float>(generator() % 63) / 16 - 2;
  return values;
}

class Product {
 public:
  explicit Product(const Sizes& sizes)
      : s_(sizes),
        a_(FewBits(s_.taps * s_.rows * s_.depth, 1)),
        b_(FewBits(s_.taps * s_.depth * s_.cols, 2)),
        bias_(FewBits(s_.cols, 3)) {
    // What is rounded to halves before it is multiplied.
    for (size_t i = 0; i < a_.size(); i += 3) a_[i] *= 1 + 0x1p-14f;
    for (int64_t i = 0; i < s_.taps * s_.rows; ++i) rows_.push_back(a_.data() + i * s_.depth);
    const int64_t depth = s_.taps * s_.depth;
    std::vector<float> panels(static_cast<size_t>(PackedFloats(depth, s_.cols)));
    PackPanels({b_.data(), s_.cols, 1}, depth, s_.cols, depth, 0, panels.data());
    for (const float value : panels) halves_.push_back(FloatToHalf(value));
  }

  std::vector<float> Got(int64_t stride) const {
    const EncodedFilter filter = FilterOf(halves_);
    std::vector<float> out(static_cast<size_t>(s_.rows * stride), 7.0f);
    std::vector<float*> to;
    for (int64_t m = 0; m < s_.rows; ++m) to.push_back(out.data() + m * stride);
    GemmBlock block;
    block.rows = s_.rows;
    block.cols = s_.cols;
    block.taps = s_.taps;
    block.depth = s_.depth;
    block.a = rows_.data();
    block.encoded = &filter;
    block.bias = bias_.data();
    block.out = to.data();
    block.min = -20;
    block.max = 90;
    Gemm(block, {});
    return out;
  }
  float Want(int64_t m, int64_t n) const {
    float sum = bias_[n], halves = 0;
    int64_t terms = 0;
    for (int64_t t = 0; t < s_.taps; ++t) {
      for (int64_t k = 0; k < s_.depth; ++k) {
        const float b = b_[(t * s_.depth + k) * s_.cols + n];
        halves = Rounded(halves + Rounded(rows_[t * s_.rows + m][k]) * b);
        if (++terms % kHalfSumTerms != 0) continue;
        sum += halves;
        halves = 0;
      }
    }
    return std::min(std::max(sum + halves, -20.0f), 90.0f);
  }

 private:
  Sizes s_;
  std::vector<float> a_, b_, bias_;
  std::vector<const float*> rows_;
  std::vector<uint16_t> halves_;
};

class HalfSums : public testing::Test {
 protected:
  void SetUp() override {
    if (!MultipliesInHalves(schema::Encoding::Panels16Float16, 1024, 1024))
      GTEST_SKIP() << "no instructions that multiply halves";
  }
};

TEST_F(HalfSums, AreRoundedAfterEachProductAndAddedInFloats) {
  for (const int64_t rows : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 22}) {
    for (const int64_t cols : {1, 7, 8, 9, 16, 17, 24, 25, 31, 32, 33, 40, 48, 49, 57, 64, 71}) {
      for (const int64_t depth : {0, 1, 3, 4, 9, 63, 64, 65, 130}) {
        const Sizes sizes = {rows, cols, depth % 2 == 0 ? 1 : 3, depth};
        SCOPED_TRACE(testing::Message() << rows << " x " << cols << ", depth " << depth);
        const Product product(sizes);
        const int64_t stride = cols + 1;
        const std::vector<float> got = product.Got(stride);
        for (int64_t m = 0; m < rows; ++m) {
          for (int64_t n = 0; n < cols; ++n)
            ASSERT_EQ(std::bit_cast<uint32_t>(got[m * stride + n] + 0.0f),
                      std::bit_cast<uint32_t>(product.Want(m, n) + 0.0f))
                << "row " << m << ", column " << n << ": " << got[m * stride + n] << ", want "
                << product.Want(m, n);
          ASSERT_EQ(got[m * stride + cols], 7.0f) << "behind row " << m;
        }
      }
    }
  }
}

// One pass over many columns, and pieces of them.
TEST_F(HalfSums, AnyNumberOfThreads) {
  const FullyConnectedShape shape = {37, 300, 700};
  const auto in = FewBits(shape.rows * shape.depth, 1), bias = FewBits(shape.cols, 2);
  const auto values = FewBits(PackedFloats(shape.depth, shape.cols), 3);
  std::vector<uint16_t> halves;
  for (const float value : values) halves.push_back(FloatToHalf(value));
  const EncodedFilter filter = FilterOf(halves);
  std::vector<float> want;
  for (const int threads : {1, 2, 3, 16}) {
    Parallel parallel;
    parallel.threads = threads;  // all of them are this one
    std::vector<float> got(static_cast<size_t>(shape.rows * shape.cols));
    FullyConnected(shape, in.data(), {nullptr, true, &filter}, bias.data(), -1e9f, 1e9f, got.data(),
                   parallel);
    if (want.empty()) want = got;
    EXPECT_EQ(got, want) << threads;
  }
}

// Sums of 32 products may leave the range of halves, longer ones do not.
TEST_F(HalfSums, LongSumsAreFloats) {
  constexpr int64_t kDepth = 4096;
  const std::vector<float> in(5 * kDepth, 4.0f);
  const std::vector<uint16_t> halves(static_cast<size_t>(PackedFloats(kDepth, 8)), FloatToHalf(4));
  const EncodedFilter filter = FilterOf(halves);
  std::vector<float> out(5 * 8);
  FullyConnected({5, kDepth, 8}, in.data(), {nullptr, true, &filter}, nullptr, -1e9f, 1e9f,
                 out.data(), {});
  for (const float value : out) EXPECT_EQ(value, 16.0f * kDepth);
}

}  // namespace
}  // namespace linnet::kernels
