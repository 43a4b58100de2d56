// SPDX-License-Identifier: Apache-2.0
// Which tensors of a step may share memory whose rows are padded. Dense memory is tested by
// in_place_test.cc of runtime/api.
#include "runtime/verify/overlap.h"

#include <gtest/gtest.h>

#include <vector>

#include "runtime/ops/all_attrs.h"

namespace linnet {
namespace {

PlanTensor At(int64_t offset, const Shape& shape, DType dtype = DType::kFloat32) {
  PlanTensor tensor;
  tensor.type = {dtype, shape};
  tensor.offset = offset;
  return tensor;
}

template <typename Attrs>
bool MayLie(OpKind kind, const Attrs& attrs, const std::vector<PlanTensor>& inputs,
            const PlanTensor& output, Layout layout = Layout::kRows4) {
  std::vector<InputInfo> types;
  std::vector<const PlanTensor*> places;
  for (const PlanTensor& input : inputs) {
    types.push_back({input.type, nullptr, false});
    places.push_back(&input);
  }
  const PlanTensor* outputs[] = {&output};
  std::vector<ByteRange> scratch(inputs.size());
  const OpInstance op{kind, &attrs, types, {&output.type, 1}};
  return FindBadOverlap({op, FindOp(kind)->traits, false, layout, places, outputs}, scratch) ==
         nullptr;
}

bool UnaryMayLie(const PlanTensor& in, const PlanTensor& out, Layout layout = Layout::kRows4) {
  return MayLie(OpKind::kUnary, UnaryAttrs{}, {in}, out, layout);
}

bool ReshapeMayLie(const PlanTensor& in, const PlanTensor& out, Layout layout = Layout::kRows4) {
  return MayLie(OpKind::kReshape, ReshapeAttrs{}, {in}, out, layout);
}

TEST(OverlapOfRows4, PaddingBelongsToATensor) {
  // 48 bytes of elements, 64 with their padding.
  EXPECT_TRUE(UnaryMayLie(At(0, {4, 3}), At(48, {4, 3}), Layout::kDense));
  EXPECT_FALSE(UnaryMayLie(At(0, {4, 3}), At(48, {4, 3})));
  EXPECT_FALSE(UnaryMayLie(At(48, {4, 3}), At(0, {4, 3})));
  EXPECT_TRUE(UnaryMayLie(At(0, {4, 3}), At(64, {4, 3})));
  EXPECT_FALSE(UnaryMayLie(At(0, {4, 1}, DType::kBool), At(60, {4, 1}, DType::kBool)));
}

TEST(OverlapOfRows4, OpsRunInPlaceWhereRowsAreEqual) {
  EXPECT_TRUE(UnaryMayLie(At(256, {4, 3}), At(256, {4, 3})));
  EXPECT_TRUE(UnaryMayLie(At(256, {}), At(256, {})));
  const PlanTensor narrow = At(0, {4, 1}), wide = At(0, {4, 3});
  BinaryAttrs add;
  add.kind = schema::BinaryKind::Add;
  // Equally many bytes, but narrow is read again for the other columns.
  EXPECT_FALSE(MayLie(OpKind::kBinary, add, {narrow, At(256, {4, 3})}, wide));
  EXPECT_FALSE(MayLie(OpKind::kBinary, add, {At(256, {4, 3}), narrow}, wide));
  EXPECT_TRUE(MayLie(OpKind::kBinary, add, {At(256, {4, 1}), wide}, wide));
  EXPECT_TRUE(MayLie(OpKind::kBinary, add, {wide, wide}, wide));
  // Cast has four bytes on both sides here.
  CastAttrs to_float;
  EXPECT_TRUE(MayLie(OpKind::kCast, to_float, {At(0, {2, 3}, DType::kUint8)}, At(0, {2, 3})));
  EXPECT_FALSE(MayLie(OpKind::kCast, to_float, {At(0, {2, 3}, DType::kUint8)}, At(0, {2, 3}),
                      Layout::kDense));
}

TEST(OverlapOfRows4, AReshapeIsItsInputWhereRowsAreEqualOrFull) {
  EXPECT_TRUE(ReshapeMayLie(At(0, {2, 8}), At(0, {16})));
  EXPECT_TRUE(ReshapeMayLie(At(0, {2, 3}), At(0, {2, 1, 3})));
  EXPECT_TRUE(ReshapeMayLie(At(0, {4, 3}), At(0, {12}), Layout::kDense));
  EXPECT_FALSE(ReshapeMayLie(At(0, {4, 3}), At(0, {12})));
  EXPECT_FALSE(ReshapeMayLie(At(0, {4, 3}), At(0, {3, 4})));
  EXPECT_FALSE(ReshapeMayLie(At(0, {1, 3}), At(0, {3, 1})));
}

TEST(OverlapOfRows4, ASliceMayLieInsideWhereItsRowsAre) {
  const auto may_lie = [](const Shape& whole, const Shape& begin, const Shape& size, int64_t offset,
                          Layout layout = Layout::kRows4) {
    SliceAttrs slice;
    slice.begin = begin;
    slice.size = size;
    slice.stride = {1, 1};
    return MayLie(OpKind::kSlice, slice, {At(512, whole)}, At(512 + offset, size), layout);
  };
  EXPECT_TRUE(may_lie({32, 3}, {16, 0}, {8, 3}, 256));
  EXPECT_FALSE(may_lie({32, 3}, {16, 0}, {8, 3}, 0));
  EXPECT_FALSE(may_lie({32, 3}, {16, 0}, {8, 3}, 192));
  EXPECT_TRUE(may_lie({32, 3}, {16, 0}, {8, 3}, 192, Layout::kDense));
  EXPECT_FALSE(may_lie({32, 3}, {8, 0}, {8, 3}, 128)) << "no window begins there";
  EXPECT_TRUE(may_lie({1, 128}, {0, 64}, {1, 64}, 256));
  EXPECT_FALSE(may_lie({1, 128}, {0, 0}, {1, 62}, 0)) << "its padding would be over elements";
  EXPECT_TRUE(may_lie({1, 128}, {0, 0}, {1, 62}, 0, Layout::kDense));
}

TEST(OverlapOfRows4, AConcatenationMayHaveItsInputsInside) {
  const auto may_lie = [](const std::vector<PlanTensor>& parts, int axis, const Shape& whole,
                          Layout layout = Layout::kRows4) {
    ConcatAttrs concat;
    concat.axis = axis;
    return MayLie(OpKind::kConcat, concat, parts, At(0, whole), layout);
  };
  const PlanTensor first = At(0, {16, 3}), second = At(256, {4, 3});
  EXPECT_TRUE(may_lie({first, second}, 0, {20, 3}));
  EXPECT_TRUE(may_lie({first, first}, 0, {32, 3})) << "one of them stays, the other is copied";
  EXPECT_FALSE(may_lie({At(0, {15, 3}), At(240, {4, 3})}, 0, {19, 3}));
  EXPECT_FALSE(may_lie({At(0, {16, 3}), At(192, {8, 3})}, 0, {24, 3}));
  EXPECT_TRUE(may_lie({At(0, {16, 3}), At(192, {8, 3})}, 0, {24, 3}, Layout::kDense));
  // Side by side in rows, they lie apart.
  EXPECT_FALSE(may_lie({At(0, {2, 64}), At(1024, {2, 64})}, 1, {2, 128}));
  EXPECT_TRUE(may_lie({At(0, {1, 64}), At(256, {1, 3})}, 1, {1, 67}));
  EXPECT_FALSE(may_lie({At(0, {1, 63}), At(1024, {1, 3})}, 1, {1, 66}));
}

}  // namespace
}  // namespace linnet
