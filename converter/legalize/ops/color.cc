// SPDX-License-Identifier: Apache-2.0
// Colours of pictures: RGB and HSV, contrast. Pictures have three channels, last.
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"

namespace linnet::converter {
namespace {

// A channel keeps its dimension, of extent 1.
struct Rgb {
  Emitted r, g, b;
};

// TensorFlow's hue, in 0..1, the largest and the smallest channel, and their difference.
struct Hue {
  Emitted hue, largest, smallest, range;
};

absl::Status WantPictures(const LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantFloats(0));
  const Shape& shape = context.shape(0);
  if (shape.rank() >= 1 && shape[shape.rank() - 1] == 3) return absl::OkStatus();
  return Invalid("want pictures with 3 channels as last dimension, got {}", ShapeText(shape));
}

Rgb Channels(LegalizeContext& context, const Emitted& x) {
  const int axis = context.shape(0).rank() - 1;
  return {EmitSliceAlong(context, axis, 0, 1, x, "0"), EmitSliceAlong(context, axis, 1, 1, x, "1"),
          EmitSliceAlong(context, axis, 2, 1, x, "2")};
}

Emitted EmitRgb(LegalizeContext& context, const Rgb& rgb, std::string_view suffix) {
  return EmitJoined(context, {rgb.r, rgb.g, rgb.b}, context.shape(0).rank() - 1, suffix);
}

// Picture in f32, and what computes on it in the picture's own type.
template <typename Fn>
absl::Status OnFloats(LegalizeContext& context, Fn fn) {
  const DType dtype = context.type(0).dtype;
  const Emitted x = EmitCast(context, DType::kFloat32, context.input(0), "float");
  const bool is_float = dtype == DType::kFloat32;
  return context.Replace(EmitCast(context, dtype, fn(x, is_float ? "" : "result")));
}

// (a - b) / (6 * range) + offset: the hue where the third channel is the largest.
Emitted Sector(LegalizeContext& context, const Emitted& a, const Emitted& b, const Emitted& sixfold,
               double offset) {
  const Emitted difference = EmitBinary(context, BinaryKind::Sub, a, b, "difference");
  const Emitted share = EmitBinary(context, BinaryKind::Div, difference, sixfold, "share");
  return offset == 0 ? share : EmitBinary(context, BinaryKind::Add, share, offset, "sector");
}

Emitted IfPositive(LegalizeContext& context, const Emitted& condition, const Emitted& x) {
  const Output zero = context.AddScalar(DType::kFloat32, 0.0, "zero");
  const Emitted is_positive =
      EmitCompare(context, CompareKind::Less, zero, condition, "is_positive");
  return EmitSelect(context, is_positive, x, zero, "if_positive");
}

Hue HueOf(LegalizeContext& context, const Rgb& rgb) {
  const auto of_all = [&](BinaryKind kind, const char* name) {
    const Emitted two = EmitBinary(context, kind, rgb.r, rgb.g, name);
    return EmitBinary(context, kind, two, rgb.b, name);
  };
  Hue hue;
  hue.largest = of_all(BinaryKind::Maximum, "largest");
  hue.smallest = of_all(BinaryKind::Minimum, "smallest");
  hue.range = EmitBinary(context, BinaryKind::Sub, hue.largest, hue.smallest, "range");
  const auto is_largest = [&](const Emitted& channel) {
    return EmitCompare(context, CompareKind::Equal, channel, hue.largest, "is_largest");
  };
  const Emitted sixfold = EmitBinary(context, BinaryKind::Mul, hue.range, 6.0, "sixfold");
  const Emitted red = Sector(context, rgb.g, rgb.b, sixfold, 0);
  const Emitted green = Sector(context, rgb.b, rgb.r, sixfold, 2.0 / 6);
  const Emitted blue = Sector(context, rgb.r, rgb.g, sixfold, 4.0 / 6);
  const Emitted other = EmitSelect(context, is_largest(rgb.g), green, blue, "green_or_blue");
  const Emitted signed_hue = EmitSelect(context, is_largest(rgb.r), red, other, "any");
  // Grey has no hue: 0 / 0 is taken out before it is compared.
  const Emitted known = IfPositive(context, hue.range, signed_hue);
  const Emitted turned = EmitBinary(context, BinaryKind::Add, known, 1.0, "turned");
  const Output zero = context.AddScalar(DType::kFloat32, 0.0, "zero");
  const Emitted is_negative = EmitCompare(context, CompareKind::Less, known, zero, "is_negative");
  hue.hue = EmitSelect(context, is_negative, turned, known, "hue");
  return hue;
}

Emitted Saturation(LegalizeContext& context, const Hue& hue) {
  const Emitted share = EmitBinary(context, BinaryKind::Div, hue.range, hue.largest, "share");
  return IfPositive(context, hue.largest, share);
}

// clamp(|sector - middle| * slope + offset, 0, 1): how much of a channel a hue has.
Emitted ShareOfHue(LegalizeContext& context, const Emitted& sector, double middle, double slope,
                   double offset) {
  Emitted x = EmitBinary(context, BinaryKind::Sub, sector, middle, "from_middle");
  x = EmitUnary(context, UnaryKind::Abs, x, "distance");
  if (slope != 1) x = EmitBinary(context, BinaryKind::Mul, x, slope, "slope");
  x = EmitBinary(context, BinaryKind::Add, x, offset, "part");
  return EmitClamp(context, {.min = 0, .max = 1}, x, "share");
}

Rgb SharesOfHue(LegalizeContext& context, const Emitted& hue) {
  const Emitted sector = EmitBinary(context, BinaryKind::Mul, hue, 6.0, "sector");
  return {ShareOfHue(context, sector, 3, 1, -1), ShareOfHue(context, sector, 2, -1, 2),
          ShareOfHue(context, sector, 4, -1, 2)};
}

// smallest + range * share of each channel.
Emitted FromRange(LegalizeContext& context, const Emitted& hue, const Emitted& smallest,
                  const Emitted& range, std::string_view suffix) {
  Rgb rgb = SharesOfHue(context, hue);
  for (Emitted* channel : {&rgb.r, &rgb.g, &rgb.b}) {
    *channel = EmitBinary(context, BinaryKind::Mul, *channel, range, "above");
    *channel = EmitBinary(context, BinaryKind::Add, *channel, smallest, "channel");
  }
  return EmitRgb(context, rgb, suffix);
}

// The smallest channel is value * (1 - saturation), and the range value * saturation.
Emitted FromHsv(LegalizeContext& context, const Emitted& hue, const Emitted& saturation,
                const Emitted& value, std::string_view suffix) {
  const Emitted range = EmitBinary(context, BinaryKind::Mul, value, saturation, "range");
  const Emitted smallest = EmitBinary(context, BinaryKind::Sub, value, range, "smallest");
  return FromRange(context, hue, smallest, range, suffix);
}

absl::Status RgbToHsv(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(WantPictures(context));
  return OnFloats(context, [&](const Emitted& x, std::string_view suffix) {
    const Hue hue = HueOf(context, Channels(context, x));
    return EmitRgb(context, {hue.hue, Saturation(context, hue), hue.largest}, suffix);
  });
}

absl::Status HsvToRgb(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(WantPictures(context));
  return OnFloats(context, [&](const Emitted& x, std::string_view suffix) {
    const Rgb hsv = Channels(context, x);
    return FromHsv(context, hsv.r, hsv.g, hsv.b, suffix);
  });
}

// The hue goes round by `delta`; largest and smallest channel stay.
absl::Status AdjustHue(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(WantPictures(context));
  return OnFloats(context, [&](const Emitted& x, std::string_view suffix) {
    const Hue hue = HueOf(context, Channels(context, x));
    const Emitted turned =
        EmitBinary(context, BinaryKind::Add, hue.hue, context.input(1), "turned");
    const Emitted turns = EmitUnary(context, UnaryKind::Floor, turned, "turns");
    const Emitted once = EmitBinary(context, BinaryKind::Sub, turned, turns, "once");
    return FromRange(context, once, hue.smallest, hue.range, suffix);
  });
}

absl::Status AdjustSaturation(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(WantPictures(context));
  return OnFloats(context, [&](const Emitted& x, std::string_view suffix) {
    const Hue hue = HueOf(context, Channels(context, x));
    Emitted saturation =
        EmitBinary(context, BinaryKind::Mul, Saturation(context, hue), context.input(1), "scaled");
    saturation = EmitClamp(context, {.min = 0, .max = 1}, saturation, "saturation");
    return FromHsv(context, hue.hue, saturation, hue.largest, suffix);
  });
}

// Away from the mean of each channel of each picture.
absl::Status AdjustContrast(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantFloats(0));
  const int rank = context.shape(0).rank();
  if (rank < 3) return Invalid("want pictures, got {}", ShapeText(context.shape(0)));
  return OnFloats(context, [&](const Emitted& x, std::string_view suffix) {
    const Emitted mean =
        EmitReduce(context, ReduceKind::Mean, {rank - 3, rank - 2}, /*keep_dims=*/true, x, "mean");
    const Emitted away = EmitBinary(context, BinaryKind::Sub, x, mean, "away");
    const Emitted scaled = EmitBinary(context, BinaryKind::Mul, away, context.input(1), "scaled");
    return EmitBinary(context, BinaryKind::Add, scaled, mean, suffix);
  });
}

}  // namespace

std::span<const TfOp> ColorOps() {
  static constexpr TfOp kRows[] = {
      {"AdjustContrastv2", AdjustContrast, "Reduce, Binary"},
      {"AdjustHue", AdjustHue, "Slice, Binary, Compare, Select, Unary, Clamp, Concat"},
      {"AdjustSaturation", AdjustSaturation,
       "Slice, Binary, Compare, Select, Unary, Clamp, Concat"},
      {"HSVToRGB", HsvToRgb, "Slice, Binary, Unary, Clamp, Concat"},
      {"RGBToHSV", RgbToHsv, "Slice, Binary, Compare, Select, Concat"},
  };
  return kRows;
}

}  // namespace linnet::converter
