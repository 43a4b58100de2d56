// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"

namespace linnet::converter {
namespace {

// The cross product of vectors of 3 elements, which lie along the last dimension.
absl::Status Cross(LegalizeContext& context) {
  const Shape& shape = context.shape(0);
  const int axis = shape.rank() - 1;
  if (axis < 0 || shape[axis] != 3 || context.shape(1) != shape)
    return Invalid("want two tensors of one shape with 3 as last extent, got {} and {}",
                   ShapeText(shape), ShapeText(context.shape(1)));
  std::vector<Emitted> x, y, parts;
  for (int k = 0; k < 3; ++k) {
    x.push_back(EmitSliceAlong(context, axis, k, 1, context.input(0), fmt::format("a{}", k)));
    y.push_back(EmitSliceAlong(context, axis, k, 1, context.input(1), fmt::format("b{}", k)));
  }
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    const Emitted plus = EmitBinary(context, BinaryKind::Mul, x[next], y[last], "plus");
    const Emitted minus = EmitBinary(context, BinaryKind::Mul, x[last], y[next], "minus");
    parts.push_back(EmitBinary(context, BinaryKind::Sub, plus, minus, fmt::format("{}", k)));
  }
  return context.Replace(EmitJoined(context, parts, axis));
}

}  // namespace

std::span<const TfOp> LinearAlgebraOps() {
  static constexpr TfOp kRows[] = {{"Cross", Cross, "Slice, Binary, Concat"}};
  return kRows;
}

}  // namespace linnet::converter
