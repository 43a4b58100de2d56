// SPDX-License-Identifier: Apache-2.0
// Resizing of pictures.
#include <limits>

#include "converter/legalize/building_blocks.h"
#include "converter/legalize/tf_op_table.h"
#include "runtime/ops/resize.h"

namespace linnet::converter {
namespace {

using schema::ResizeMode;
using schema::Sampling;

absl::StatusOr<Sampling> GetSampling(const LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const bool align_corners, context.Bool("align_corners", false));
  LINNET_ASSIGN_OR_RETURN(const bool half_pixel, context.Bool("half_pixel_centers", false));
  if (align_corners && half_pixel)
    return Invalid("attrs 'align_corners' and 'half_pixel_centers' exclude each other");
  if (align_corners) return Sampling::AlignCorners;
  return half_pixel ? Sampling::HalfPixel : Sampling::Legacy;
}

template <ResizeMode kMode>
absl::Status Resize(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(2, 2));
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 4));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> size, context.ConstantInts(1, "size"));
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  if (size.size() != 2 || size[0] < 1 || size[1] < 1 || size[0] > kMax || size[1] > kMax)
    return Invalid("'size' is [{}], want a positive height and width", fmt::join(size, ","));
  ResizeAttrs attrs;
  attrs.mode = kMode;
  LINNET_ASSIGN_OR_RETURN(attrs.sampling, GetSampling(context));
  attrs.output_h = static_cast<int>(size[0]);
  attrs.output_w = static_cast<int>(size[1]);
  Output x = context.input(0);
  const DType dtype = context.type(x).dtype;
  const bool direct = kMode == ResizeMode::Nearest || dtype == DType::kUint8 ||
                      dtype == DType::kInt8 || dtype == DType::kInt32;
  if (!direct) {
    LINNET_ASSIGN_OR_RETURN(x, EmitCast(context, DType::kFloat32, x, "float"));
  }
  return context.Replace(context.Emit(attrs, {x}));
}

constexpr TfOp kRows[] = {
    {"ResizeBilinear", Resize<ResizeMode::Bilinear>, "Resize; size known"},
    {"ResizeNearestNeighbor", Resize<ResizeMode::Nearest>, "Resize; size known"},
};

}  // namespace

std::span<const TfOp> ImageOps() { return kRows; }

}  // namespace linnet::converter
