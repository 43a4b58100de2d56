// SPDX-License-Identifier: Apache-2.0
// DrawBoundingBoxes: the outline of each box over what was drawn before, one part per box.
#include <algorithm>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"

namespace linnet::converter {
namespace {

constexpr int64_t kMostBoxes = 128;

// Rows or columns of pixels, of which one box has those from `first` to `last`, i32 [pictures, 1,
// 1]. `numbers` are the picture's.
struct BoxSide {
  Emitted numbers, first, last;
};

// The boxes in whole pixels, i32 [pictures, boxes, 4]. What is further away than any picture
// reaches stays so.
Emitted EmitBoxPixels(LegalizeContext& context) {
  const Shape& in = context.shape(0);
  const auto height = static_cast<float>(in[1] - 1), width = static_cast<float>(in[2] - 1);
  const Output sizes = context.AddVector<float>({height, width, height, width}, "sizes");
  Emitted pixels = EmitBinary(context, BinaryKind::Mul, context.input(1), sizes, "boxes/in_pixels");
  constexpr float kFar = 1 << 24;
  pixels = EmitClamp(context, {.min = -kFar, .max = kFar}, pixels, "boxes/bounded");
  return EmitCast(context, DType::kInt32, pixels, "boxes/whole");
}

Emitted EmitBoxNumber(LegalizeContext& context, const Emitted& pixels, int64_t box, int number) {
  return EmitSlice(context, {0, box, number}, {context.shape(0)[0], 1, 1}, pixels, "boxes/number");
}

Emitted EmitIsInside(LegalizeContext& context, const BoxSide& side) {
  const Emitted behind_first =
      EmitCompare(context, CompareKind::LessEqual, side.first, side.numbers, "behind_first");
  const Emitted before_last =
      EmitCompare(context, CompareKind::LessEqual, side.numbers, side.last, "before_last");
  return EmitBinary(context, BinaryKind::LogicalAnd, behind_first, before_last, "is_inside");
}

Emitted EmitIsEdge(LegalizeContext& context, const BoxSide& side) {
  const Emitted is_first =
      EmitCompare(context, CompareKind::Equal, side.first, side.numbers, "is_first");
  const Emitted is_last =
      EmitCompare(context, CompareKind::Equal, side.last, side.numbers, "is_last");
  return EmitBinary(context, BinaryKind::LogicalOr, is_first, is_last, "is_edge");
}

// bool [pictures, height, width, 1]. A box that ends before it begins has no outline.
Emitted EmitOutline(LegalizeContext& context, const BoxSide& rows, const BoxSide& columns) {
  const Emitted in_rows = EmitIsInside(context, rows);
  const Emitted in_columns = EmitIsInside(context, columns);
  const Emitted inside = EmitBinary(context, BinaryKind::LogicalAnd, in_rows, in_columns, "inside");
  const Emitted on_row = EmitIsEdge(context, rows);
  const Emitted on_column = EmitIsEdge(context, columns);
  const Emitted on_edge = EmitBinary(context, BinaryKind::LogicalOr, on_row, on_column, "on_edge");
  const Emitted outline = EmitBinary(context, BinaryKind::LogicalAnd, inside, on_edge, "outline");
  const Shape& in = context.shape(0);
  return EmitReshape(context, {in[0], in[1], in[2], 1}, outline, "outline/of_channels");
}

// The colours of DrawBoundingBoxes, and of the later form where it is given none: red, green, blue
// and alpha. Pictures with one channel get white.
Emitted EmitDefaultColors(LegalizeContext& context) {
  std::vector<float> colors = {1, 1, 0,    1, 0,    0, 1,    1,    1, 0, 0,    1, 0, 1,
                               0, 1, 0.5f, 0, 0.5f, 1, 0.5f, 0.5f, 0, 1, 0.5f, 0, 0, 1,
                               0, 0, 0.5f, 1, 0,    1, 1,    1,    1, 0, 1,    1};
  if (context.shape(0)[3] == 1) std::ranges::fill(colors, 1.0f);
  const int64_t count = std::ssize(colors) / 4;
  return context.AddConstant(Constant::Of<float>({count, 4}, std::move(colors)), "colors");
}

absl::Status WantBoxes(const LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(OnlyBatchVaries(context));
  LINNET_RETURN_IF_ERROR(context.WantRank(1, 3));
  const Extents pictures = context.extents(0), boxes = context.extents(1);
  if (boxes[0] != pictures[0] || !boxes[1].is_constant() || boxes[2] != Extent(4))
    return Unsupported("boxes of {} on pictures of {}, want as many for each picture",
                       context.symbols().Text(boxes), context.symbols().Text(pictures));
  if (boxes[1].constant() > kMostBoxes)
    return Unsupported("{} boxes, want at most {}", boxes[1].constant(), kMostBoxes);
  constexpr int64_t kMostPixels = 1 << 22;  // of a side: positions are computed in float
  const Shape& in = context.shape(0);
  if (in[1] < 1 || in[2] < 1 || in[1] > kMostPixels || in[2] > kMostPixels)
    return Unsupported("pictures of {}", ShapeText(in));
  return absl::OkStatus();
}

// A row per color, with as many channels as the pictures have.
Emitted EmitColors(LegalizeContext& context) {
  Emitted colors = EmitDefaultColors(context);
  if (context.num_inputs() > 2) {
    LINNET_RETURN_IF_ERROR(context.WantRank(2, 2));
    if (context.Varies(2)) return Unsupported("colors whose number varies");
    if (context.shape(2).num_elements() != 0) colors = context.input(2);
  }
  const int64_t channels = context.shape(0)[3];
  if (context.shape(*colors)[1] < channels)
    return Invalid("colors of {} for pictures of {}", ShapeText(context.shape(*colors)),
                   ShapeText(context.shape(0)));
  return EmitSliceAlong(context, 1, 0, channels, colors, "colors/of_channels");
}

absl::Status DrawBoundingBoxes(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(WantBoxes(context));
  LINNET_ASSIGN_OR_RETURN(const Output colors, EmitColors(context));
  const Shape in = context.shape(0);
  const Emitted pixels = EmitBoxPixels(context);
  BoxSide rows, columns;
  rows.numbers = AddIndices<int32_t>(context, {1, in[1], 1}, "rows");
  columns.numbers = AddIndices<int32_t>(context, {1, 1, in[2]}, "columns");
  Emitted canvas = context.input(0);
  for (int64_t box = 0; box < context.shape(1)[1]; ++box) {
    rows.first = EmitBoxNumber(context, pixels, box, 0);
    columns.first = EmitBoxNumber(context, pixels, box, 1);
    rows.last = EmitBoxNumber(context, pixels, box, 2);
    columns.last = EmitBoxNumber(context, pixels, box, 3);
    const Emitted color =
        EmitSliceAlong(context, 0, box % context.shape(colors)[0], 1, colors, "color");
    const Emitted outline = EmitOutline(context, rows, columns);
    canvas = EmitSelect(context, outline, color, canvas, "drawn");
  }
  return context.Replace(canvas);
}

}  // namespace

std::span<const TfOp> DrawingOps() {
  static constexpr TfOp kRows[] = {
      {"DrawBoundingBoxes", DrawBoundingBoxes, "Compare, Select; at most 128 boxes", kMayVary},
      {"DrawBoundingBoxesV2", DrawBoundingBoxes, "Compare, Select; at most 128 boxes", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
