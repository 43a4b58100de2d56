// SPDX-License-Identifier: Apache-2.0
// ExtractGlimpseV2: from each picture a part of one size, at a place that is fed. The picture gets
// a border of zeros, one pixel wide, in which all positions beyond it end.
#include <algorithm>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "converter/legalize/ops/bordered_pictures.h"

namespace linnet::converter {
namespace {

struct Glimpse {
  bool centered = true, normalized = true;
  int64_t height = 0, width = 0;
};

// Where the glimpse begins along side `axis` of the pictures, in whole pixels: f32 [pictures, 1].
Emitted EmitGlimpseStart(LegalizeContext& context, const Glimpse& glimpse, int axis, int64_t size) {
  const auto inputs = static_cast<double>(context.shape(0)[axis]);
  Emitted start = EmitSliceAlong(context, 1, axis - 1, 1, context.input(2), "offset");
  if (glimpse.normalized) start = EmitBinary(context, BinaryKind::Mul, start, inputs, "pixels");
  if (glimpse.normalized && glimpse.centered)
    start = EmitBinary(context, BinaryKind::Div, start, 2.0, "half");
  if (glimpse.centered)
    start = EmitBinary(context, BinaryKind::Add, start, inputs / 2, "from_centre");
  // TensorFlow puts the glimpse's own centre there only where offsets are normalized.
  if (glimpse.normalized && glimpse.centered)
    start = EmitBinary(context, BinaryKind::Sub, start, static_cast<double>(size) / 2, "start");
  // What is further away, or no number, gives nothing but border too.
  const auto least = static_cast<double>(-size - 1);
  const Output far = context.AddScalar(DType::kFloat32, least, "far");
  const Emitted is_near = EmitCompare(context, CompareKind::Greater, start, far, "is_near");
  start = EmitSelect(context, is_near, start, far, "start/near");
  start = EmitBinary(context, BinaryKind::Minimum, start, inputs + 1, "start/bounded");
  start = EmitCast(context, DType::kInt32, start, "start/whole");
  return EmitCast(context, DType::kFloat32, start, "start/whole_float");
}

// Rows or columns counted from the border, i32 [pictures, size].
Emitted EmitGlimpseNumbers(LegalizeContext& context, const Glimpse& glimpse, int axis,
                           int64_t size) {
  const Emitted start = EmitGlimpseStart(context, glimpse, axis, size);
  const Output steps = AddIndices<float>(context, {1, size}, "steps");
  const Emitted numbers = EmitBinary(context, BinaryKind::Add, start, steps, "numbers");
  return EmitFromBorder(context, numbers, context.shape(0)[axis]);
}

absl::StatusOr<Glimpse> GetGlimpse(const LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(OnlyBatchVaries(context));
  LINNET_RETURN_IF_ERROR(context.WantRank(2, 2));
  const Extents pictures = context.extents(0), offsets = context.extents(2);
  if (offsets[0] != pictures[0] || offsets[1] != Extent(2))
    return Unsupported("offsets of {} for pictures of {}", context.symbols().Text(offsets),
                       context.symbols().Text(pictures));
  Glimpse glimpse;
  LINNET_ASSIGN_OR_RETURN(glimpse.centered, context.Bool("centered", true));
  LINNET_ASSIGN_OR_RETURN(glimpse.normalized, context.Bool("normalized", true));
  LINNET_ASSIGN_OR_RETURN(const bool uniform, context.Bool("uniform_noise", true));
  LINNET_ASSIGN_OR_RETURN(const std::string& noise, context.String("noise", "uniform"));
  if (uniform || noise != "zero")
    return Unsupported("around the picture is noise '{}', want zero", uniform ? "uniform" : noise);
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> size, context.ConstantInts(1, "size"));
  // Positions are computed in float, which counts to 2^24, and indices in i32.
  constexpr int64_t kMostPixels = 1 << 22;
  const Shape& in = context.shape(0);
  if (size.size() != 2 || size[0] < 1 || size[1] < 1)
    return Invalid("'size' is [{}], want a positive height and width", fmt::join(size, ","));
  if (std::max(size[0], in[1]) > kMostPixels || std::max(size[1], in[2]) > kMostPixels ||
      (in[1] + 2) * (in[2] + 2) > INT32_MAX)
    return Unsupported("{}x{} pixels of {}x{}", size[0], size[1], in[1], in[2]);
  glimpse.height = size[0];
  glimpse.width = size[1];
  LINNET_RETURN_IF_ERROR(CheckedShape(std::vector{in[0], std::max(size[0], in[1] + 2),
                                                  std::max(size[1], in[2] + 2), in[3]})
                             .status());
  return glimpse;
}

absl::Status ExtractGlimpse(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Glimpse glimpse, GetGlimpse(context));
  const Shape in = context.shape(0);
  const Emitted pictures = EmitBordered(context, context.input(0), 0);
  Emitted rows = EmitGlimpseNumbers(context, glimpse, 1, glimpse.height);
  rows = EmitReshape(context, {in[0], glimpse.height, 1}, rows, "rows");
  Emitted columns = EmitGlimpseNumbers(context, glimpse, 2, glimpse.width);
  columns = EmitReshape(context, {in[0], 1, glimpse.width}, columns, "columns");
  const Emitted taken =
      EmitPixelsAt(context, pictures, rows, columns, {in[0], glimpse.height * glimpse.width});
  return context.Replace(
      EmitReshape(context, {in[0], glimpse.height, glimpse.width, in[3]}, taken));
}

}  // namespace

std::span<const TfOp> GlimpseOps() {
  static constexpr TfOp kRows[] = {
      {"ExtractGlimpseV2", ExtractGlimpse, "Gather; size known, noise zero", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
