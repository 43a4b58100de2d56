// SPDX-License-Identifier: Apache-2.0
// Attention gives the bits of the steps that it stands for, on any number of threads.
#include "runtime/kernels/attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "runtime/kernels/batch_matmul.h"
#include "runtime/kernels/normalize.h"
#include "tests/runtime/kernels/backwards.h"
#include "tests/runtime/kernels/random_floats.h"

namespace linnet::kernels {
namespace {

using Elements = std::vector<float>;

// [batch, rows, heads, depth] -> [batch, heads, rows, depth]; with the extents the other way round,
// its inverse.
Elements HeadsSwapped(const Elements& x, int64_t batch, int64_t rows, int64_t heads,
                      int64_t depth) {
  Elements y(x.size());
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t s = 0; s < rows; ++s)
      for (int64_t h = 0; h < heads; ++h)
        std::memcpy(&y[((b * heads + h) * rows + s) * depth],
                    &x[((b * rows + s) * heads + h) * depth], depth * sizeof(float));
  return y;
}

// Memory at a multiple of 64, full of NaNs.
class NanScratch {
 public:
  explicit NanScratch(int64_t bytes) : data_(bytes / sizeof(float) + 16, NAN) {}
  void* data() {
    const auto at = reinterpret_cast<uintptr_t>(data_.data());
    return data_.data() + (64 - at % 64) % 64 / sizeof(float);
  }

 private:
  Elements data_;
};

BatchMatMulShape ProductOfHeads(int64_t matrices, int64_t rows, int64_t cols, int64_t depth,
                                bool transpose_b) {
  return {.rows = rows,
          .cols = cols,
          .depth = depth,
          .transpose_a = false,
          .transpose_b = transpose_b,
          .batch = {matrices},
          .a_stride = {1},
          .b_stride = {1},
          .b_matrices = matrices};
}

// [batch, cols, groups, depth] -> [batch, cols, heads, depth]
Elements Repeated(const Elements& x, const AttentionShape& s, int64_t depth) {
  const int64_t heads = s.heads / s.groups;
  Elements y;
  for (size_t i = 0; i < x.size(); i += static_cast<size_t>(depth))
    for (int64_t h = 0; h < heads; ++h) y.insert(y.end(), &x[i], &x[i] + depth);
  return y;
}

std::vector<uint8_t> Kept(int64_t count) {
  std::vector<uint8_t> kept(count);
  for (int64_t i = 0; i < count; ++i) kept[i] = i % 3 != 1;
  return kept;
}

constexpr float kHidden = -1000;

struct AttentionCase {
  AttentionShape shape;
  Elements q = Random(shape.batch * shape.rows * shape.heads * shape.depth, 1);
  Elements k = Random(shape.batch * shape.cols * shape.groups * shape.depth, 2);
  Elements v = Random(shape.batch * shape.cols * shape.groups * shape.value_depth, 3);
  Elements added = Random(shape.rows * shape.cols, 4);         // a mask for all heads
  std::vector<uint8_t> kept = Kept(shape.batch * shape.cols);  // a mask for all rows of a batch

  int64_t outputs() const { return shape.batch * shape.rows * shape.heads * shape.value_depth; }

  Elements InSteps(bool packs) const {
    const auto& s = shape;
    const int64_t matrices = s.batch * s.heads;
    const OperandB form = packs ? OperandB::kPackedInRun : OperandB::kPlain;
    const auto multiply = [&](const BatchMatMulShape& product, const Elements& a,
                              const Elements& b) {
      Elements out(matrices * product.rows * product.cols);
      NanScratch scratch(BatchMatMulScratchBytes(product, form, 1));
      BatchMatMul(product, a.data(), b.data(), form, out.data(), scratch.data(), {});
      return out;
    };
    Elements scores =
        multiply(ProductOfHeads(matrices, s.rows, s.cols, s.depth, true),
                 HeadsSwapped(q, s.batch, s.rows, s.heads, s.depth),
                 HeadsSwapped(Repeated(k, s, s.depth), s.batch, s.cols, s.heads, s.depth));
    for (size_t i = 0; i < scores.size(); ++i) {
      const size_t batch = i / (scores.size() / s.batch);
      scores[i] = scores[i] * s.scale + added[i % added.size()];
      if (kept[batch * s.cols + i % s.cols] == 0) scores[i] = kHidden;
    }
    Softmax(scores.data(), matrices * s.rows, s.cols, scores.data(), {});
    const Elements out = multiply(
        ProductOfHeads(matrices, s.rows, s.value_depth, s.cols, false), scores,
        HeadsSwapped(Repeated(v, s, s.value_depth), s.batch, s.cols, s.heads, s.value_depth));
    return HeadsSwapped(out, s.batch, s.heads, s.rows, s.value_depth);
  }

  Elements AtOnce(bool packs, const Parallel& parallel) const {
    Elements out(outputs(), NAN);
    NanScratch scratch(AttentionScratchBytes(shape, packs, parallel.threads));
    AttentionMask masks[2];
    masks[0].added = added.data();
    masks[0].stride[2] = shape.cols;
    masks[1].kept = kept.data();
    masks[1].hidden = kHidden;
    masks[1].stride[0] = shape.cols;
    Attention(shape, q.data(), k.data(), v.data(), masks, packs, out.data(), scratch.data(),
              parallel);
    return out;
  }
};

TEST(Attention, HasTheBitsOfItsSteps) {
  const AttentionShape shapes[] = {
      {1, 12, 12, 128, 128, 32, 32, 0.25f},  // of a text
      {1, 3, 3, 197, 197, 64, 64, 0.125f},   // of a picture
      {2, 3, 3, 50, 77, 20, 9, 0.3f},        // of two texts
      {1, 1, 1, 300, 33, 5, 40, 1.0f},       // one head, whose rows are split
      {1, 8, 8, 1, 700, 64, 64, 0.125f},     // the next word
      {3, 2, 2, 30, 1500, 8, 8, 0.5f},       // long rows of scores
      {2, 6, 2, 50, 77, 20, 9, 0.3f},        // three heads read one of k and v
      {1, 8, 1, 300, 33, 5, 40, 1.0f},       // all heads do
      {1, 8, 2, 1, 700, 64, 64, 0.125f},     // the next word
  };
  for (const AttentionShape& shape : shapes) {
    const AttentionCase test{shape};
    for (const bool packs : {true, false}) {
      const Elements want = test.InSteps(packs);
      for (int threads = 1; threads <= 8; ++threads)
        EXPECT_EQ(test.AtOnce(packs, Backwards(threads)), want)
            << shape.rows << " rows, " << threads << " threads" << (packs ? "" : ", plain");
    }
  }
}

}  // namespace
}  // namespace linnet::kernels
