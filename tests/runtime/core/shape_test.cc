// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/shape.h"

#include <gtest/gtest.h>

#include <vector>

namespace linnet {
namespace {

TEST(Shape, OfAScalarHasOneElement) {
  const Shape scalar;
  EXPECT_EQ(scalar.rank(), 0);
  EXPECT_EQ(scalar.num_elements(), 1);
}

TEST(Shape, KeepsItsDims) {
  const Shape shape = {2, 3, 4};
  EXPECT_EQ(shape.rank(), 3);
  EXPECT_EQ(shape[1], 3);
  EXPECT_EQ(shape.back(), 4);
  EXPECT_EQ(shape.Product(1, 3), 12);
  EXPECT_EQ(shape.Product(1, 1), 1);
  EXPECT_EQ(shape.num_elements(), 24);
  const std::vector<int64_t> dims(shape.begin(), shape.end());
  EXPECT_EQ(Shape(std::span<const int64_t>(dims)), shape);
}

TEST(Shape, ComparesRankAndDims) {
  EXPECT_EQ(Shape({2, 3}), Shape({2, 3}));
  EXPECT_NE(Shape({2, 3}), Shape({3, 2}));
  EXPECT_NE(Shape({2}), Shape({2, 1}));
  // Extents beyond the rank do not matter.
  Shape edited = {2};
  edited.Append(5);
  EXPECT_NE(edited, Shape({2}));
}

TEST(NumElementsChecked, AcceptsWhatFits) {
  int64_t elements = -1;
  EXPECT_TRUE(Shape({5, 7}).NumElementsChecked(&elements));
  EXPECT_EQ(elements, 35);
  EXPECT_TRUE(Shape().NumElementsChecked(&elements));
  EXPECT_EQ(elements, 1);
  EXPECT_TRUE(Shape({4, 0, 3}).NumElementsChecked(&elements));
  EXPECT_EQ(elements, 0);
}

TEST(NumElementsChecked, RefusesNegativeDims) {
  int64_t elements = 7;
  EXPECT_FALSE(Shape({4, -1}).NumElementsChecked(&elements));
  EXPECT_FALSE(Shape({0, -1}).NumElementsChecked(&elements));
  EXPECT_EQ(elements, 7);
}

TEST(NumElementsChecked, RefusesOverflow) {
  constexpr int64_t kBig = int64_t{1} << 32;
  int64_t elements = 7;
  EXPECT_FALSE(Shape({kBig, kBig}).NumElementsChecked(&elements));
  // Strides of the other dimensions would overflow although there is no element.
  EXPECT_FALSE(Shape({0, kBig, kBig}).NumElementsChecked(&elements));
  EXPECT_EQ(elements, 7);
}

TEST(NumElementsChecked, LimitsTheProduct) {
  int64_t elements = 7;
  EXPECT_TRUE(Shape({kMaxShapeElements}).NumElementsChecked(&elements));
  EXPECT_EQ(elements, kMaxShapeElements);
  EXPECT_TRUE(Shape({0, kMaxShapeElements}).NumElementsChecked(&elements));
  EXPECT_FALSE(Shape({kMaxShapeElements + 1}).NumElementsChecked(&elements));
  EXPECT_FALSE(Shape({0, kMaxShapeElements, 2}).NumElementsChecked(&elements));
  EXPECT_EQ(elements, 0);
}

TEST(TensorType, CountsBytes) {
  EXPECT_EQ((TensorType{DType::kFloat32, {2, 3}}).bytes(), 24);
  EXPECT_EQ((TensorType{DType::kBool, {5}}).bytes(), 5);
  EXPECT_EQ((TensorType{DType::kInt64, {}}).bytes(), 8);
  EXPECT_NE((TensorType{DType::kInt32, {2}}), (TensorType{DType::kFloat32, {2}}));
}

TEST(DType, NamesAndSizesOfUnknownValues) {
  const auto unknown = static_cast<DType>(200);
  EXPECT_EQ(DTypeBytes(unknown), 0);
  EXPECT_STREQ(DTypeName(unknown), "invalid");
  EXPECT_EQ(DTypeBytes(DType::kInvalid), 0);
}

}  // namespace
}  // namespace linnet
