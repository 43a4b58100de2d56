// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"

namespace linnet::converter {
namespace {

absl::Status SelectV2(LegalizeContext& context) {
  return context.Replace(EmitSelect(context, context.input(0), context.input(1), context.input(2)));
}

// The condition is a scalar, has the shape of the other inputs, or is a vector with an element for
// each row.
absl::Status Select(LegalizeContext& context) {
  const Shape& condition = context.shape(0);
  const Shape& shape = context.shape(1);
  if (shape != context.shape(2))
    return Invalid("'t' and 'e' have shapes {} and {}", ShapeText(shape),
                   ShapeText(context.shape(2)));
  const bool picks_rows = condition.rank() == 1 && shape.rank() > 1 && condition[0] == shape[0];
  if (!picks_rows && condition.rank() != 0 && condition != shape)
    return Invalid("'condition' has shape {}, want [], {} or its first dimension",
                   ShapeText(condition), ShapeText(shape));
  if (!picks_rows) return SelectV2(context);
  Shape rows = Filled(shape.rank(), 1);
  rows[0] = condition[0];
  const Emitted picked = EmitReshape(context, rows, context.input(0), "rows");
  return context.Replace(EmitSelect(context, picked, context.input(1), context.input(2)));
}

}  // namespace

std::span<const TfOp> SelectOps() {
  static constexpr TfOp kRows[] = {
      {"Select", Select, "Select, Reshape of a vector condition", kMayVary | kTakesComplex},
      {"SelectV2", SelectV2, "Select", kMayVary | kTakesComplex},
  };
  return kRows;
}

}  // namespace linnet::converter
