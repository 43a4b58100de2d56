// SPDX-License-Identifier: Apache-2.0
// Resizing, cropping and patches of pictures.
#include <algorithm>
#include <cmath>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "runtime/ops/batch_matmul.h"
#include "runtime/ops/crop_and_resize.h"
#include "runtime/ops/resize.h"

namespace linnet::converter {
namespace {

using schema::ResizeMode;
using schema::Sampling;

struct PictureSize {
  int height = 0, width = 0;
};

absl::StatusOr<PictureSize> GetSize(const LegalizeContext& context, int i, const char* what) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> size, context.ConstantInts(i, what));
  if (size.size() != 2 || size[0] < 1 || size[1] < 1 || size[0] > INT32_MAX || size[1] > INT32_MAX)
    return Invalid("'{}' is [{}], want a positive height and width", what, fmt::join(size, ","));
  return PictureSize{static_cast<int>(size[0]), static_cast<int>(size[1])};
}

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
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 4));
  LINNET_ASSIGN_OR_RETURN(const Extents size, context.ExtentValues(1, "size"));
  ResizeAttrs sampled{.mode = kMode};
  LINNET_ASSIGN_OR_RETURN(sampled.sampling, GetSampling(context));
  LINNET_ASSIGN_OR_RETURN(const OpAttrs attrs, WithOutputSize(context, sampled, size));
  Emitted x = context.input(0);
  const DType dtype = context.type(0).dtype;
  const bool direct = kMode == ResizeMode::Nearest ||
                      (kMode == ResizeMode::Bilinear &&
                       (dtype == DType::kUint8 || dtype == DType::kInt8 || dtype == DType::kInt32));
  if (!direct) x = EmitCast(context, DType::kFloat32, x, "float");
  return context.Replace(context.Emit(attrs, {x}));
}

// A matrix [outputs, inputs]: which share of an output pixel, `scale` input pixels wide, each input
// pixel has. Beyond the border the outermost pixel is repeated. In float, as in TensorFlow.
Constant AreaWeights(int64_t inputs, int64_t outputs, float scale) {
  std::vector<float> weights(static_cast<size_t>(outputs * inputs), 0.0f);
  for (int64_t o = 0; o < outputs; ++o) {
    const float begin = static_cast<float>(o) * scale, end = static_cast<float>(o + 1) * scale;
    for (float i = std::floor(begin); i < end; ++i) {
      const int64_t pixel = std::min(static_cast<int64_t>(i), inputs - 1);
      weights[o * inputs + pixel] += (std::min(i + 1, end) - std::max(i, begin)) / scale;
    }
  }
  return Constant::Of<float>({outputs, inputs}, std::move(weights));
}

// [pictures, pixels, rest] -> [pictures, outputs, rest]: each output is the mean of the pixels that
// it covers.
Emitted EmitMeans(LegalizeContext& context, const Emitted& x, int64_t outputs, bool align_corners,
                  const std::string& suffix) {
  if (!x.ok()) return x;
  const int64_t inputs = context.shape(*x)[1];
  if (inputs == outputs) return x;
  if (inputs * outputs > kMostElements)
    return Unsupported("{} pixels from {} are more than a matrix is made for", outputs, inputs);
  align_corners = align_corners && inputs > 1 && outputs > 1;
  const float scale =
      static_cast<float>(inputs - align_corners) / static_cast<float>(outputs - align_corners);
  const Output weights =
      context.AddConstant(AreaWeights(inputs, outputs, scale), suffix + "/weights");
  return context.Emit(BatchMatMulAttrs(), {weights, x}, suffix);
}

// Means over the area of each output pixel: first along the height, then along the width.
absl::Status ResizeArea(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 4));
  LINNET_ASSIGN_OR_RETURN(const PictureSize size, GetSize(context, 1, "size"));
  LINNET_ASSIGN_OR_RETURN(const bool align_corners, context.Bool("align_corners", false));
  const Shape in = context.shape(0);
  if (in[1] < 1 || in[2] < 1 || in[1] > INT32_MAX || in[2] > INT32_MAX)
    return Invalid("pictures have shape {}", ShapeText(in));
  Emitted x = EmitCast(context, DType::kFloat32, context.input(0), "float");
  x = EmitReshape(context, {in[0], in[1], in[2] * in[3]}, x, "rows");
  x = EmitMeans(context, x, size.height, align_corners, "rows/means");
  x = EmitReshape(context, {in[0] * size.height, in[2], in[3]}, x, "columns");
  x = EmitMeans(context, x, size.width, align_corners, "columns/means");
  return context.Replace(EmitReshape(context, {in[0], size.height, size.width, in[3]}, x));
}

absl::Status CropAndResize(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const PictureSize size, GetSize(context, 3, "crop_size"));
  LINNET_ASSIGN_OR_RETURN(const std::string& method, context.String("method", "bilinear"));
  if (method != "bilinear" && method != "nearest") return Invalid("attr 'method' is {}", method);
  CropAndResizeAttrs attrs{.mode = method == "nearest" ? ResizeMode::Nearest : ResizeMode::Bilinear,
                           .crop_h = size.height,
                           .crop_w = size.width};
  LINNET_ASSIGN_OR_RETURN(attrs.extrapolation, context.Float("extrapolation_value", 0.0f));
  const Emitted images = EmitCast(context, DType::kFloat32, context.input(0), "float");
  return context.Replace(context.Emit(attrs, {images, context.input(1), context.input(2)}));
}

// A slice for each position inside the window; concatenated they are the channels of the patches.
absl::Status ExtractImagePatches(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 4));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> ksizes, context.Ints("ksizes"));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, context.Ints("strides"));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> rates, context.Ints("rates"));
  LINNET_ASSIGN_OR_RETURN(const std::string& padding, context.String("padding", ""));
  constexpr int64_t kMost = 64;  // of rows and columns: each position in the window becomes an op
  for (const auto* list : {&ksizes, &strides, &rates}) {
    if (list->size() != 4 || (*list)[0] != 1 || (*list)[3] != 1 || (*list)[1] < 1 || (*list)[2] < 1)
      return Invalid("'ksizes', 'strides' and 'rates' must be [1, rows, columns, 1]");
  }
  if (ksizes[1] > kMost || ksizes[2] > kMost)
    return Unsupported("patches of {}x{}, want at most {}", ksizes[1], ksizes[2], kMost);
  const Shape shape = context.shape(0);
  Shape before = Filled(4, 0), after = Filled(4, 0), size = shape, stride = Filled(4, 1);
  for (const int axis : {1, 2}) {
    if (padding == "SAME") {
      LINNET_ASSIGN_OR_RETURN(const Margins pad,
                              SamePadding(shape[axis], ksizes[axis], strides[axis], rates[axis]));
      before[axis] = pad.before;
      after[axis] = pad.after;
    }
    const int64_t room =
        shape[axis] + before[axis] + after[axis] - (ksizes[axis] - 1) * rates[axis] - 1;
    size[axis] = room < 0 ? 0 : room / strides[axis] + 1;
    stride[axis] = strides[axis];
  }
  if (size.num_elements() == 0) return Invalid("no patch fits into {}", ShapeText(shape));
  const Emitted x = EmitPad(context, before, after, context.input(0), "Pad");
  std::vector<Emitted> parts;
  for (int64_t row = 0; row < ksizes[1]; ++row) {
    for (int64_t column = 0; column < ksizes[2]; ++column)
      parts.push_back(EmitSlice(context, {0, row * rates[1], column * rates[2], 0}, size, stride, x,
                                fmt::format("row_{}_column_{}", row, column)));
  }
  return context.Replace(EmitJoined(context, parts, 3));
}

}  // namespace

std::span<const TfOp> ImageOps() {
  static constexpr TfOp kRows[] = {
      {"CropAndResize", CropAndResize, "CropAndResize; crop_size known"},
      {"ExtractImagePatches", ExtractImagePatches, "Pad, Slice, Concat"},
      {"ResizeArea", ResizeArea, "BatchMatMul; size known"},
      {"ResizeBicubic", Resize<ResizeMode::Bicubic>, "Resize; size known or bounded", kMayVary},
      {"ResizeBilinear", Resize<ResizeMode::Bilinear>, "Resize; size known or bounded", kMayVary},
      {"ResizeNearestNeighbor", Resize<ResizeMode::Nearest>, "Resize; size known or bounded",
       kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
