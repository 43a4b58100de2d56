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
  const auto element = [&](int i, int k) {
    return EmitSliceAlong(context, axis, k % 3, 1, context.input(i),
                          fmt::format("{}_{}", i == 0 ? 'a' : 'b', k % 3));
  };
  const auto product = [&](int k, int l) {
    return EmitBinary(context, BinaryKind::Mul, element(0, k), element(1, l), "product");
  };
  Operands parts;
  for (int k = 0; k < 3; ++k) {
    const Emitted part = EmitBinary(context, BinaryKind::Sub, product(k + 1, k + 2),
                                    product(k + 2, k + 1), fmt::format("{}", k));
    if (!part.ok()) return part.status();
    parts.push_back(*part);
  }
  return context.Replace(EmitJoined(context, parts, axis));
}

}  // namespace

std::span<const TfOp> LinearAlgebraOps() {
  static constexpr TfOp kRows[] = {{"Cross", Cross, "Slice, Binary, Concat"}};
  return kRows;
}

}  // namespace linnet::converter
