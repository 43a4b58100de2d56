// SPDX-License-Identifier: Apache-2.0
// Pictures whose output pixels lie anywhere in the input: ImageProjectiveTransformV2 and V3. Where
// that is, is computed of the transforms with ordinary ops, which fold where these are constant;
// then Gather takes the pixels. Around the picture lies a border of the fill value, one pixel wide,
// in which all positions beyond the picture end.
#include <cmath>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "converter/legalize/ops/bordered_pictures.h"

namespace linnet::converter {
namespace {

// What lies beyond the picture.
enum class Beyond { kFill, kReflected, kWrapped, kNearest };

struct Warp {
  Beyond beyond = Beyond::kFill;
  bool bilinear = false;
  double fill = 0;
  int64_t height = 0, width = 0;                // of the input
  int64_t output_height = 0, output_width = 0;  // of the output
  bool is_shared = false;                       // one transform for all pictures
};

// Rows or columns of input pixels, as f32 [transforms, output height, output width]. Where
// `is_infinite`, bool of the same shape, the position is beyond the picture.
struct Positions {
  Emitted rows, columns, is_infinite;
};

// Number `first` of the 8 numbers of each transform times the column, plus the next one times the
// row.
Emitted EmitSlope(LegalizeContext& context, const Warp& warp, int first) {
  const auto number = [&](int i) -> Emitted {
    const Emitted one = EmitSliceAlong(context, 1, i, 1, context.input(1), "number");
    return EmitReshape(context, {context.shape(1)[0], 1, 1}, one, "number/of_pixels");
  };
  const Emitted columns = AddIndices<float>(context, {1, 1, warp.output_width}, "columns");
  const Emitted along_row = EmitBinary(context, BinaryKind::Mul, number(first), columns, "along");
  const Emitted rows = AddIndices<float>(context, {1, warp.output_height, 1}, "rows");
  const Emitted along_column =
      EmitBinary(context, BinaryKind::Mul, number(first + 1), rows, "across");
  return EmitBinary(context, BinaryKind::Add, along_row, along_column, "slope");
}

// The numerators and the denominator in the order of TensorFlow's sums.
Positions EmitProjection(LegalizeContext& context, const Warp& warp) {
  const auto numerator = [&](int first) {
    const Emitted slope = EmitSlope(context, warp, first);
    const Emitted shift = EmitSliceAlong(context, 1, first + 2, 1, context.input(1), "shift");
    const Emitted of_pixels =
        EmitReshape(context, {context.shape(1)[0], 1, 1}, shift, "shift/of_pixels");
    return EmitBinary(context, BinaryKind::Add, slope, of_pixels, "line");
  };
  const Emitted slope = EmitSlope(context, warp, 6);
  const Emitted projection = EmitBinary(context, BinaryKind::Add, slope, 1.0, "projection");
  Positions positions;
  positions.columns =
      EmitBinary(context, BinaryKind::Div, numerator(0), projection, "column_positions");
  positions.rows = EmitBinary(context, BinaryKind::Div, numerator(3), projection, "row_positions");
  const Output zero = context.AddScalar(DType::kFloat32, 0.0, "zero");
  positions.is_infinite = EmitCompare(context, CompareKind::Equal, projection, zero, "is_infinite");
  return positions;
}

// floor(x / period) * step
Emitted EmitPeriods(LegalizeContext& context, const Emitted& x, double period, double step) {
  Emitted periods = EmitBinary(context, BinaryKind::Div, x, period, "share");
  periods = EmitUnary(context, UnaryKind::Floor, periods, "periods");
  return EmitBinary(context, BinaryKind::Mul, periods, step, "whole");
}

// The pictures [abcd] mirrored again and again: [dcba|abcd|dcba]. Positions below 0 and above are
// counted from 0, as in TensorFlow, whose results at the seams follow from that.
Emitted EmitReflected(LegalizeContext& context, const Emitted& x, double size) {
  const double period = 2 * size;
  const Emitted minus = EmitUnary(context, UnaryKind::Neg, x, "minus");
  const Emitted below =
      EmitBinary(context, BinaryKind::Add, EmitPeriods(context, minus, period, period), x, "below");
  const Output minus_size = context.AddScalar(DType::kFloat32, -size, "minus_size");
  const Emitted is_far = EmitCompare(context, CompareKind::Less, below, minus_size, "is_far");
  const Emitted far = EmitBinary(context, BinaryKind::Add, below, period, "far");
  Emitted near = EmitUnary(context, UnaryKind::Neg, below, "turned");
  near = EmitBinary(context, BinaryKind::Sub, near, 1.0, "near");
  const Emitted left = EmitSelect(context, is_far, far, near, "left");
  const Emitted above =
      EmitBinary(context, BinaryKind::Sub, x, EmitPeriods(context, x, period, period), "above");
  const Output last = context.AddScalar(DType::kFloat32, size, "size");
  const Emitted is_back = EmitCompare(context, CompareKind::GreaterEqual, above, last, "is_back");
  const Output mirror = context.AddScalar(DType::kFloat32, period, "period");
  Emitted back = EmitBinary(context, BinaryKind::Sub, mirror, above, "mirrored");
  back = EmitBinary(context, BinaryKind::Sub, back, 1.0, "back");
  const Emitted right = EmitSelect(context, is_back, back, above, "right");
  const Output zero = context.AddScalar(DType::kFloat32, 0.0, "zero");
  const Emitted is_left = EmitCompare(context, CompareKind::Less, x, zero, "is_left");
  return EmitSelect(context, is_left, left, right, "reflected");
}

// The pictures side by side. A picture is repeated after size - 1, as in TensorFlow.
Emitted EmitWrapped(LegalizeContext& context, const Emitted& x, double size) {
  const double period = size - 1;
  const Emitted minus = EmitUnary(context, UnaryKind::Neg, x, "minus");
  Emitted left = EmitPeriods(context, minus, period, size);
  left = EmitBinary(context, BinaryKind::Add, left, size, "to_the_right");
  left = EmitBinary(context, BinaryKind::Add, x, left, "left");
  const Emitted right =
      EmitBinary(context, BinaryKind::Sub, x, EmitPeriods(context, x, period, size), "right");
  const Output last = context.AddScalar(DType::kFloat32, period, "last");
  const Emitted is_right = EmitCompare(context, CompareKind::Greater, x, last, "is_right");
  const Emitted inside = EmitSelect(context, is_right, right, x, "inside");
  const Output zero = context.AddScalar(DType::kFloat32, 0.0, "zero");
  const Emitted is_left = EmitCompare(context, CompareKind::Less, x, zero, "is_left");
  return EmitSelect(context, is_left, left, inside, "wrapped");
}

// Positions in [-2, size + 1]: those beyond the picture stay so, and NaN is beyond it too.
Emitted EmitBounded(LegalizeContext& context, const Emitted& x, int64_t size) {
  const Output least = context.AddScalar(DType::kFloat32, -2.0, "least");
  const Emitted is_number = EmitCompare(context, CompareKind::Greater, x, least, "is_number");
  const Emitted above = EmitSelect(context, is_number, x, least, "above_least");
  return EmitBinary(context, BinaryKind::Minimum, above, static_cast<double>(size + 1), "bounded");
}

Emitted EmitMapped(LegalizeContext& context, const Warp& warp, const Emitted& x,
                   const Emitted& is_infinite, int64_t size) {
  if (warp.beyond == Beyond::kFill) return EmitBounded(context, x, size);
  Emitted mapped = x;
  const auto length = static_cast<double>(size);
  if (size > 1 && warp.beyond == Beyond::kReflected) mapped = EmitReflected(context, x, length);
  if (size > 1 && warp.beyond == Beyond::kWrapped) mapped = EmitWrapped(context, x, length);
  mapped = EmitClamp(context, {.min = 0, .max = static_cast<float>(size - 1)}, mapped, "inside");
  const Output outside = context.AddScalar(DType::kFloat32, -2.0, "outside");
  mapped = EmitSelect(context, is_infinite, outside, mapped, "finite");
  return EmitBounded(context, mapped, size);
}

// The nearest pixel; of two, the one away from 0, so that -1/2 is beyond the picture.
Emitted EmitNearest(LegalizeContext& context, const Emitted& x) {
  const Emitted floor = EmitUnary(context, UnaryKind::Floor, x, "floor");
  const Emitted rest = EmitBinary(context, BinaryKind::Sub, x, floor, "rest");
  const Output half = context.AddScalar(DType::kFloat32, 0.5, "half");
  const Emitted is_up = EmitCompare(context, CompareKind::GreaterEqual, rest, half, "is_up");
  const Emitted up = EmitBinary(context, BinaryKind::Add, floor, 1.0, "up");
  const Emitted rounded = EmitSelect(context, is_up, up, floor, "rounded");
  const Output minus_half = context.AddScalar(DType::kFloat32, -0.5, "minus_half");
  const Emitted is_inside = EmitCompare(context, CompareKind::Greater, x, minus_half, "is_inside");
  const Output outside = context.AddScalar(DType::kFloat32, -1.0, "outside");
  return EmitSelect(context, is_inside, rounded, outside, "nearest");
}

// A pixel each of the pictures [batch, pixels, channels].
Emitted EmitPixels(LegalizeContext& context, const Warp& warp, const Emitted& pictures,
                   const Emitted& rows, const Emitted& columns) {
  const int64_t pixels = warp.output_height * warp.output_width;
  const Shape taken = warp.is_shared ? Shape{pixels} : Shape{context.shape(1)[0], pixels};
  return EmitPixelsAt(context, pictures, rows, columns, taken);
}

// Two pixels beside each other along one side, with the share that each has.
struct Neighbours {
  Emitted first, second;                    // numbers of pixels
  Emitted share_of_first, share_of_second;  // [transforms, pixels, 1]
};

Neighbours EmitNeighbours(LegalizeContext& context, const Warp& warp, const Emitted& x,
                          int64_t size) {
  const Emitted floor = EmitUnary(context, UnaryKind::Floor, x, "floor");
  const Emitted next = EmitBinary(context, BinaryKind::Add, floor, 1.0, "next");
  const Shape shape = {context.shape(1)[0], warp.output_height * warp.output_width, 1};
  Neighbours pair;
  pair.first = EmitFromBorder(context, floor, size);
  pair.second = EmitFromBorder(context, next, size);
  const Emitted to_next = EmitBinary(context, BinaryKind::Sub, next, x, "to_next");
  pair.share_of_first = EmitReshape(context, shape, to_next, "share_of_first");
  const Emitted from_first = EmitBinary(context, BinaryKind::Sub, x, floor, "from_first");
  pair.share_of_second = EmitReshape(context, shape, from_first, "share_of_second");
  return pair;
}

Emitted EmitMixed(LegalizeContext& context, const Neighbours& pair, const Emitted& first,
                  const Emitted& second) {
  const Emitted a = EmitBinary(context, BinaryKind::Mul, first, pair.share_of_first, "of_first");
  const Emitted b = EmitBinary(context, BinaryKind::Mul, second, pair.share_of_second, "of_second");
  return EmitBinary(context, BinaryKind::Add, a, b, "mixed");
}

Emitted EmitWarped(LegalizeContext& context, const Warp& warp, const Positions& positions) {
  const Emitted rows =
      EmitMapped(context, warp, positions.rows, positions.is_infinite, warp.height);
  const Emitted columns =
      EmitMapped(context, warp, positions.columns, positions.is_infinite, warp.width);
  if (!warp.bilinear) {
    const Emitted row = EmitFromBorder(context, EmitNearest(context, rows), warp.height);
    const Emitted column = EmitFromBorder(context, EmitNearest(context, columns), warp.width);
    const Emitted pictures = EmitBordered(context, context.input(0), warp.fill);
    return EmitPixels(context, warp, pictures, row, column);
  }
  const Emitted x = EmitCast(context, DType::kFloat32, context.input(0), "float");
  const Emitted pictures = EmitBordered(context, x, warp.fill);
  const Neighbours row = EmitNeighbours(context, warp, rows, warp.height);
  const Neighbours column = EmitNeighbours(context, warp, columns, warp.width);
  const auto of_row = [&](const Emitted& number) {
    const Emitted first = EmitPixels(context, warp, pictures, number, column.first);
    const Emitted second = EmitPixels(context, warp, pictures, number, column.second);
    return EmitMixed(context, column, first, second);
  };
  const Emitted above = of_row(row.first);
  const Emitted below = of_row(row.second);
  const Emitted mixed = EmitMixed(context, row, above, below);
  return EmitCast(context, context.type(0).dtype, mixed, "pixels");
}

absl::Status GetModes(const LegalizeContext& context, Warp* warp) {
  LINNET_ASSIGN_OR_RETURN(const std::string& interpolation, context.String("interpolation", ""));
  if (interpolation != "NEAREST" && interpolation != "BILINEAR")
    return Invalid("attr 'interpolation' is '{}', want NEAREST or BILINEAR", interpolation);
  warp->bilinear = interpolation == "BILINEAR";
  LINNET_ASSIGN_OR_RETURN(const std::string& mode, context.String("fill_mode", "CONSTANT"));
  if (mode == "REFLECT") {
    warp->beyond = Beyond::kReflected;
  } else if (mode == "WRAP") {
    warp->beyond = Beyond::kWrapped;
  } else if (mode == "NEAREST") {
    warp->beyond = Beyond::kNearest;
  } else if (mode != "CONSTANT") {
    return Invalid("attr 'fill_mode' is '{}', want CONSTANT, REFLECT, WRAP or NEAREST", mode);
  }
  if (context.num_inputs() < 4) return absl::OkStatus();
  LINNET_ASSIGN_OR_RETURN(warp->fill, context.ConstantScalar(3, "fill_value"));
  const DType dtype = context.type(0).dtype;
  if (!IsInteger(dtype)) return absl::OkStatus();
  const double most = dtype == DType::kUint8 ? UINT8_MAX : INT32_MAX;
  if (!(warp->fill >= (dtype == DType::kUint8 ? 0 : INT32_MIN) && warp->fill <= most))
    return Invalid("'fill_value' is {}, which the pictures' integers do not reach", warp->fill);
  warp->fill = std::trunc(warp->fill);
  return absl::OkStatus();
}

absl::Status GetSizes(LegalizeContext& context, Warp* warp) {
  LINNET_RETURN_IF_ERROR(OnlyBatchVaries(context));
  LINNET_RETURN_IF_ERROR(context.WantRank(1, 2));
  const Extents pictures = context.extents(0), transforms = context.extents(1);
  if (transforms[1] != Extent(8) || (transforms[0] != Extent(1) && transforms[0] != pictures[0]))
    return Unsupported("transforms of {}, want 8 numbers, once or for each picture of {}",
                       context.symbols().Text(transforms), context.symbols().Text(pictures));
  warp->is_shared = transforms[0] == Extent(1);
  LINNET_ASSIGN_OR_RETURN(const Extents size, context.ExtentValues(2, "output_shape"));
  if (size.size() != 2 || !size[0].is_constant() || !size[1].is_constant())
    return Unsupported("'output_shape' is {}, want two numbers known at conversion",
                       context.symbols().Text(size));
  warp->output_height = size[0].constant();
  warp->output_width = size[1].constant();
  warp->height = context.shape(0)[1];
  warp->width = context.shape(0)[2];
  // Positions are computed in float, which counts to 2^24, and indices in i32.
  constexpr int64_t kMostPixels = 1 << 24;
  const auto in_range = [&](int64_t height, int64_t width) {
    return height >= 1 && width >= 1 && height <= kMostPixels && width <= kMostPixels &&
           (height + 2) * (width + 2) <= INT32_MAX;
  };
  if (!in_range(warp->height, warp->width) || !in_range(warp->output_height, warp->output_width))
    return Unsupported("{}x{} pixels from {}x{}", warp->output_height, warp->output_width,
                       warp->height, warp->width);
  const Shape& in = context.shape(0);
  return CheckedShape(std::vector{in[0], std::max(warp->output_height, warp->height + 2),
                                  std::max(warp->output_width, warp->width + 2), in[3]})
      .status();
}

absl::Status ProjectiveTransform(LegalizeContext& context) {
  Warp warp;
  LINNET_RETURN_IF_ERROR(GetModes(context, &warp));
  LINNET_RETURN_IF_ERROR(GetSizes(context, &warp));
  const Positions positions = EmitProjection(context, warp);
  const Emitted pixels = EmitWarped(context, warp, positions);
  const Shape shape = {context.shape(0)[0], warp.output_height, warp.output_width,
                       context.shape(0)[3]};
  return context.Replace(EmitReshape(context, shape, pixels));
}

}  // namespace

std::span<const TfOp> WarpOps() {
  static constexpr TfOp kRows[] = {
      {"ImageProjectiveTransformV2", ProjectiveTransform,
       "Gather; bilinear: Binary; output_shape known", kMayVary},
      {"ImageProjectiveTransformV3", ProjectiveTransform,
       "Gather; bilinear: Binary; output_shape and fill_value known", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
