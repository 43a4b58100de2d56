// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/ops/bordered_pictures.h"

#include "converter/legalize/context/building_blocks.h"
#include "runtime/ops/gather.h"
#include "runtime/ops/pad.h"

namespace linnet::converter {

Emitted EmitBordered(LegalizeContext& context, const Emitted& pictures, double fill) {
  const Shape in = context.shape(0), one = {0, 1, 1, 0};
  const Emitted bordered =
      context.Emit(PadAttrs{.before = one, .after = one, .value = fill}, {pictures}, "bordered");
  return EmitReshape(context, {in[0], (in[1] + 2) * (in[2] + 2), in[3]}, bordered, "bordered/flat");
}

Emitted EmitFromBorder(LegalizeContext& context, const Emitted& positions, int64_t size) {
  Emitted number =
      EmitClamp(context, {.min = -1, .max = static_cast<float>(size)}, positions, "with_border");
  number = EmitBinary(context, BinaryKind::Add, number, 1.0, "from_border");
  return EmitCast(context, DType::kInt32, number, "number");
}

Emitted EmitPixelsAt(LegalizeContext& context, const Emitted& bordered, const Emitted& rows,
                     const Emitted& columns, const Shape& taken) {
  const auto width = static_cast<double>(context.shape(0)[2] + 2);
  const Emitted before = EmitBinary(context, BinaryKind::Mul, rows, width, "before_row");
  Emitted indices = EmitBinary(context, BinaryKind::Add, before, columns, "indices");
  indices = EmitReshape(context, taken, indices, "flat_indices");
  return context.Emit(GatherAttrs{.axis = 1, .batch_dims = taken.rank() - 1}, {bordered, indices},
                      "pixels");
}

}  // namespace linnet::converter
