// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/layout.h"

#include <gtest/gtest.h>

namespace linnet {
namespace {

constexpr Layout kDense = Layout::kDense, kRows4 = Layout::kRows4, kHalf = Layout::kRows4Half;
constexpr TensorType Floats(const Shape& shape) { return {DType::kFloat32, shape}; }

TEST(Layout, DenseTensorsHaveTheBytesOfTheirElements) {
  EXPECT_EQ(BytesIn(kDense, Floats({2, 3})), 24);
  EXPECT_EQ(BytesIn(kDense, {DType::kBool, {5}}), 5);
  EXPECT_EQ(BytesIn(kDense, {DType::kInt64, {}}), 8);
}

TEST(Layout, RowsArePaddedToFourElementsOfFourBytes) {
  EXPECT_EQ(BytesIn(kRows4, Floats({})), 16);
  EXPECT_EQ(BytesIn(kRows4, Floats({1})), 16);
  EXPECT_EQ(BytesIn(kRows4, Floats({2, 3})), 32);
  EXPECT_EQ(BytesIn(kRows4, Floats({2, 4})), 32);
  EXPECT_EQ(BytesIn(kRows4, Floats({2, 5})), 64);
  EXPECT_EQ(BytesIn(kRows4, {DType::kBool, {3, 1}}), 48);
  EXPECT_EQ(BytesIn(kRows4, {DType::kUint8, {7, 8}}), 224);
  EXPECT_EQ(PaddedShape(kRows4, {}), Shape({4}));
  EXPECT_EQ(PaddedShape(kRows4, {5, 6}), Shape({5, 8}));
}

TEST(Layout, AFloatHasTwoBytesWhereItIsAHalf) {
  EXPECT_EQ(BytesIn(kHalf, Floats({})), 8);
  EXPECT_EQ(BytesIn(kHalf, Floats({2, 3})), 16);
  EXPECT_EQ(BytesIn(kHalf, Floats({2, 5})), 32);
  EXPECT_EQ(BytesIn(kHalf, {DType::kInt32, {2, 3}}), 32);
  EXPECT_EQ(BytesIn(kHalf, {DType::kBool, {3, 1}}), 48);
  EXPECT_EQ(BytesIn(kHalf, {DType::kUint8, {7, 8}}), 224);
  EXPECT_EQ(PaddedShape(kHalf, {5, 6}), Shape({5, 8}));
  EXPECT_EQ(TensorAlignment(kHalf, DType::kFloat32), kRows4Alignment);
}

TEST(Layout, TensorsWithoutElementsHaveNoBytes) {
  EXPECT_EQ(BytesIn(kRows4, Floats({0})), 0);
  EXPECT_EQ(BytesIn(kRows4, Floats({0, 3})), 0);
  EXPECT_EQ(BytesIn(kRows4, Floats({3, 0})), 0);
}

TEST(Layout, TheLargestShapesDoNotOverflow) {
  for (const Shape& shape : {Shape{kMaxShapeElements}, {kMaxShapeElements, 1}}) {
    int64_t elements = 0;
    ASSERT_TRUE(shape.NumElementsChecked(&elements));
    const int64_t padding = shape.rank() == 2 ? 4 : 1;
    EXPECT_EQ(BytesIn(kRows4, {DType::kUint8, shape}), kMaxShapeElements * padding * 4);
  }
}

TEST(Layout, TensorsHaveTheSameElementsWhereRowsAreEqualOrFull) {
  EXPECT_TRUE(SameElements(kDense, Floats({2, 3}), Floats({6})));
  EXPECT_FALSE(SameElements(kRows4, Floats({2, 3}), Floats({6})));
  EXPECT_FALSE(SameElements(kRows4, Floats({4, 3}), Floats({12})));
  EXPECT_FALSE(SameElements(kRows4, Floats({3, 4}), Floats({4, 3})));
  EXPECT_TRUE(SameElements(kRows4, Floats({2, 3}), Floats({1, 2, 1, 3})));
  EXPECT_TRUE(SameElements(kRows4, Floats({2, 8}), Floats({4, 4})));
  EXPECT_TRUE(SameElements(kRows4, Floats({}), Floats({1, 1})));
  EXPECT_FALSE(SameElements(kRows4, Floats({2, 8}), Floats({8})));
  // Four bytes each, whatever the dtype.
  EXPECT_TRUE(SameElements(kRows4, {DType::kUint8, {2, 3}}, Floats({2, 3})));
  EXPECT_FALSE(SameElements(kDense, {DType::kUint8, {2, 3}}, Floats({2, 3})));
  // Equally many bytes are not enough.
  EXPECT_TRUE(SameElements(kHalf, Floats({2, 8}), Floats({4, 4})));
  EXPECT_FALSE(SameElements(kHalf, {DType::kInt32, {2, 3}}, Floats({2, 3})));
  EXPECT_FALSE(SameElements(kHalf, {DType::kInt32, {1, 4}}, Floats({1, 8})));
  EXPECT_TRUE(SameElements(kHalf, {DType::kInt32, {2, 3}}, {DType::kBool, {2, 3}}));
}

TEST(Layout, WhatIsWrittenInPlaceHasEqualRows) {
  EXPECT_TRUE(CanOverwrite(kDense, Floats({2, 8}), Floats({4, 4})));
  EXPECT_FALSE(CanOverwrite(kDense, Floats({2, 8}), Floats({4, 8})));
  EXPECT_FALSE(CanOverwrite(kRows4, Floats({2, 8}), Floats({4, 4})));
  EXPECT_TRUE(CanOverwrite(kRows4, Floats({2, 3}), Floats({1, 2, 3})));
  EXPECT_TRUE(CanOverwrite(kRows4, Floats({}), Floats({1})));
  EXPECT_FALSE(CanOverwrite(kRows4, Floats({2, 3}), Floats({3, 3})));
  EXPECT_TRUE(CanOverwrite(kHalf, Floats({2, 3}), Floats({1, 2, 3})));
  EXPECT_FALSE(CanOverwrite(kHalf, Floats({2, 3}), {DType::kBool, {2, 3}}));
}

TEST(Layout, HasAFormForSomeDTypes) {
  int forms = 0;
  for (int i = 1; i < kNumDTypes; ++i) {
    const auto dtype = static_cast<DType>(i);
    EXPECT_TRUE(HasForm(kDense, dtype));
    forms += HasForm(kRows4, dtype);
    EXPECT_EQ(HasForm(kHalf, dtype), HasForm(kRows4, dtype));
    EXPECT_TRUE(!HasForm(kRows4, dtype) || dtype == DType::kInt64 ||
                DTypeBytes(dtype) <= ElementBytes(kRows4, dtype));
  }
  EXPECT_EQ(forms, 5);
  for (const DType dtype :
       {DType::kFloat32, DType::kInt32, DType::kInt64, DType::kBool, DType::kUint8})
    EXPECT_TRUE(HasForm(kRows4, dtype)) << DTypeName(dtype);
}

}  // namespace
}  // namespace linnet
