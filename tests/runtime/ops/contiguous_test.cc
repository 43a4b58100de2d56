// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/contiguous.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace linnet {
namespace {

constexpr Layout kDense = Layout::kDense, kRows4 = Layout::kRows4, kHalf = Layout::kRows4Half;

TensorType Floats(const Shape& shape) { return {DType::kFloat32, shape}; }

TEST(PartOffset, DensePartsMayStartAtAnyElement) {
  EXPECT_EQ(PartOffset(kDense, Floats({4, 3}), {1, 0}, {2, 3}), 12);
  EXPECT_EQ(PartOffset(kDense, Floats({1, 3}), {0, 1}, {1, 2}), 4);
  EXPECT_EQ(PartOffset(kDense, {DType::kBool, {5}}, {3}, {1}), 3);
  EXPECT_EQ(PartOffset(kDense, Floats({4, 3}), {0, 1}, {4, 1}), -1);
  EXPECT_EQ(PartOffset(kDense, Floats({}), {}, {}), 0);
}

TEST(PartOffset, PartsOfRows4AreWholeRowsFromMultiplesOf256Bytes) {
  EXPECT_EQ(PartOffset(kRows4, Floats({32, 3}), {16, 0}, {5, 3}), 256);
  EXPECT_EQ(PartOffset(kRows4, Floats({32, 3}), {15, 0}, {5, 3}), -1);
  EXPECT_EQ(PartOffset(kRows4, Floats({32, 3}), {0, 0}, {5, 3}), 0);
  EXPECT_EQ(PartOffset(kRows4, {DType::kBool, {32, 3}}, {16, 0}, {16, 3}), 256);
  // Columns of several rows lie apart.
  EXPECT_EQ(PartOffset(kRows4, Floats({2, 128}), {0, 64}, {2, 64}), -1);
  // [16, 3] rows as the middle dimension.
  EXPECT_EQ(PartOffset(kRows4, Floats({2, 32, 3}), {1, 16, 0}, {1, 16, 3}), 768);
  EXPECT_EQ(PartOffset(kRows4, Floats({2, 32, 3}), {0, 16, 0}, {2, 16, 3}), -1);
  EXPECT_EQ(PartOffset(kRows4, Floats({}), {}, {}), 0);
}

TEST(PartOffset, APieceOfOneRowHasPaddingOnlyWhereTheRowEnds) {
  EXPECT_EQ(PartOffset(kRows4, Floats({1, 130}), {0, 64}, {1, 64}), 256);
  EXPECT_EQ(PartOffset(kRows4, Floats({1, 130}), {0, 128}, {1, 2}), 512);
  EXPECT_EQ(PartOffset(kRows4, Floats({1, 130}), {0, 64}, {1, 63}), -1);
  EXPECT_EQ(PartOffset(kRows4, Floats({1, 130}), {0, 0}, {1, 129}), -1);
  EXPECT_EQ(PartOffset(kRows4, Floats({1, 130}), {0, 65}, {1, 65}), -1);
  EXPECT_EQ(PartOffset(kRows4, Floats({3, 128}), {2, 64}, {1, 64}), 1280);
}

// Where the elements of a tensor of rank 3 lie, in units of four bytes.
struct Model {
  explicit Model(const Shape& of)
      : shape(of), row((of[2] + 3) / 4 * 4), elements(static_cast<size_t>(of[0] * of[1] * row)) {
    for (int64_t i = 0; i < of[0] * of[1]; ++i)
      for (int64_t c = 0; c < of[2]; ++c) elements[static_cast<size_t>(i * row + c)] = true;
  }
  int64_t At(int64_t a, int64_t b, int64_t c) const { return (a * shape[1] + b) * row + c; }

  Shape shape;
  int64_t row;
  std::vector<bool> elements;  // false: padding
};

// The part as a tensor of its own, `offset` behind the start of the whole, is what the whole has
// there: each element at its place, padding over padding, nothing behind the end.
bool LiesThere(const Model& whole, const Shape& begin, const Model& part, int64_t offset) {
  if (offset + std::ssize(part.elements) > std::ssize(whole.elements)) return false;
  for (int64_t a = 0; a < part.shape[0]; ++a)
    for (int64_t b = 0; b < part.shape[1]; ++b)
      for (int64_t c = 0; c < part.shape[2]; ++c)
        if (offset + part.At(a, b, c) != whole.At(begin[0] + a, begin[1] + b, begin[2] + c))
          return false;
  for (size_t i = 0; i < part.elements.size(); ++i)
    if (part.elements[i] != whole.elements[static_cast<size_t>(offset) + i]) return false;
  return true;
}

// Calls `check` with all parts of a tensor, whose sizes are taken from short lists.
template <typename Check>
void ForEachPart(const Shape& whole, Check check) {
  for (int64_t a = 0; a < whole[0]; ++a)
    for (int64_t b = 0; b < whole[1]; b += 8)
      for (int64_t c = 0; c < whole[2]; ++c)
        for (const int64_t size_a : {int64_t{1}, whole[0] - a})
          for (const int64_t size_b : {int64_t{1}, int64_t{8}, whole[1] - b})
            for (const int64_t size_c : {int64_t{1}, int64_t{3}, int64_t{8}, whole[2] - c})
              if (b + size_b <= whole[1] && c + size_c <= whole[2])
                check(Shape{a, b, c}, Shape{size_a, size_b, size_c});
}

TEST(PartOffset, IsFoundExactlyWhereTheElementsAre) {
  int found = 0;
  for (const Shape& shape : {Shape{2, 16, 3}, {2, 17, 4}, {3, 1, 67}, {1, 1, 72}, {1, 33, 5}}) {
    const Model whole(shape);
    ForEachPart(shape, [&](const Shape& begin, const Shape& size) {
      const int64_t start = whole.At(begin[0], begin[1], begin[2]);
      for (const auto& [layout, bytes] : {std::pair(kRows4, 4), {kHalf, 2}}) {
        const bool lies_there =
            start * bytes % 256 == 0 && LiesThere(whole, begin, Model(size), start);
        EXPECT_EQ(PartOffset(layout, Floats(shape), begin, size), lies_there ? bytes * start : -1);
        found += lies_there;
      }
    });
  }
  EXPECT_GT(found, 60);
}

}  // namespace
}  // namespace linnet
