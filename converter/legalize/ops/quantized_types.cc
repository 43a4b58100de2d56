// SPDX-License-Identifier: Apache-2.0
// QuantizeV2 and Dequantize: floats to integers with a range, and back. The integers are the same
// as TensorFlow's, bit by bit: each float operation here is one of TensorFlow's kernel, in its
// order.
#include <algorithm>
#include <cmath>
#include <limits>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"

namespace linnet::converter {
namespace {

enum class Mode { kMinCombined, kMinFirst, kScaled };

// What the attributes of both ops say.
struct Quantized {
  Mode mode;
  DType dtype;  // of the integers
  double lowest, highest;
  double scaled_lowest;  // in mode SCALED
  int axis = -1;         // the dimension whose slices have ranges of their own, or -1

  double steps() const { return highest - lowest; }
  // TensorFlow shifts signed integers by half their range.
  double half_range() const { return lowest < 0 ? (steps() + 1) / 2 : 0; }
};

absl::StatusOr<Mode> GetMode(const LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::string& mode, context.String("mode", "MIN_COMBINED"));
  if (mode == "MIN_COMBINED") return Mode::kMinCombined;
  if (mode == "MIN_FIRST") return Mode::kMinFirst;
  if (mode == "SCALED") return Mode::kScaled;
  return Invalid("attr 'mode' is {}", mode);
}

absl::Status SetLimits(Quantized* quantized) {
  const DType dtype = quantized->dtype;
  if (!IsInteger(dtype) || dtype == DType::kInt64) return Invalid("attr 'T' is no quantised type");
  const bool is_unsigned = dtype == DType::kUint8 || dtype == DType::kUint16;
  const double values = std::exp2(8 * DTypeBytes(dtype));
  quantized->lowest = is_unsigned ? 0 : -values / 2;
  quantized->highest = quantized->lowest + values - 1;
  return absl::OkStatus();
}

absl::StatusOr<Quantized> GetQuantized(const LegalizeContext& context) {
  Quantized quantized{};
  LINNET_ASSIGN_OR_RETURN(quantized.mode, GetMode(context));
  LINNET_ASSIGN_OR_RETURN(quantized.dtype, context.Type("T", DType::kInvalid));
  LINNET_RETURN_IF_ERROR(SetLimits(&quantized));
  LINNET_ASSIGN_OR_RETURN(const bool narrow, context.Bool("narrow_range", false));
  quantized.scaled_lowest = quantized.lowest + (narrow ? 1 : 0);
  LINNET_ASSIGN_OR_RETURN(const int64_t axis, context.Int("axis", -1));
  if (axis != -1) {
    LINNET_ASSIGN_OR_RETURN(quantized.axis, context.Axis(axis, context.shape(0).rank(), "axis"));
    if (quantized.mode == Mode::kMinFirst)
      return Invalid("MIN_FIRST mode is not implemented with axis != -1");
  }
  return quantized;
}

// The functions below emit chains of float operations, whose order must not change.

Output AddFloat(LegalizeContext& context, double value, const char* name) {
  return context.AddScalar(DType::kFloat32, value, name);
}

// a < b ? c : d
Emitted EmitIfLess(LegalizeContext& context, const Emitted& a, const Emitted& b, const Emitted& c,
                   const Emitted& d, const char* name) {
  const Emitted less = EmitCompare(context, CompareKind::Less, a, b, "Less");
  return EmitSelect(context, less, c, d, name);
}

// Rounds to the nearest integer, halves away from zero: floor(|x| + c) * sign(x). c is the largest
// float below 0.5, and 0.5 + c rounds to 1.
Emitted EmitRoundAway(LegalizeContext& context, const Emitted& x, const char* name) {
  Emitted y = EmitUnary(context, UnaryKind::Abs, x, "Abs");
  y = EmitBinary(context, BinaryKind::Add, y, 0x1.fffffep-2, "Add");
  y = EmitUnary(context, UnaryKind::Floor, y, "Floor");
  const Emitted sign = EmitUnary(context, UnaryKind::Sign, x, "Sign");
  return EmitBinary(context, BinaryKind::Mul, y, sign, name);
}

struct Range {
  Emitted min, max;
};

// The inputs min_range and max_range in a shape that broadcasts against the tensor.
absl::StatusOr<Range> GetRange(LegalizeContext& context, const Quantized& quantized) {
  const Shape& shape = context.shape(0);
  Shape wanted;
  for (int i = 0; quantized.axis >= 0 && i < shape.rank(); ++i)
    wanted.Append(i == quantized.axis ? shape[i] : 1);
  for (const int i : {1, 2})
    if (context.shape(i).num_elements() != wanted.num_elements())
      return Invalid("a range of shape {} for an input of shape {}", ShapeText(context.shape(i)),
                     ShapeText(shape));
  return Range{EmitReshape(context, wanted, context.input(1), "min_range"),
               EmitReshape(context, wanted, context.input(2), "max_range")};
}

// The range extended to contain zero, with ends that are apart.
Range Widened(LegalizeContext& context, const Range& given, float least) {
  using enum BinaryKind;
  const Emitted min = EmitBinary(context, Minimum, given.min, 0.0, "min");
  const Emitted size_of_min = EmitUnary(context, UnaryKind::Abs, given.min, "Abs");
  const Emitted size_of_max = EmitUnary(context, UnaryKind::Abs, given.max, "Abs");
  Emitted apart = EmitBinary(context, Maximum, size_of_min, size_of_max, "Maximum");
  apart = EmitBinary(context, Maximum, apart, 1.0, "Maximum");
  apart = EmitBinary(context, Mul, apart, least, "apart");
  Emitted max = EmitBinary(context, Add, min, apart, "Add");
  max = EmitBinary(context, Maximum, given.max, max, "Maximum");
  return {min, EmitBinary(context, Maximum, max, 0.0, "max")};
}

Emitted Clamped(LegalizeContext& context, const Emitted& x, const Range& range) {
  const Emitted below = EmitBinary(context, BinaryKind::Minimum, x, range.max, "Minimum");
  return EmitBinary(context, BinaryKind::Maximum, below, range.min, "Maximum");
}

Emitted MinCombined(LegalizeContext& context, const Quantized& quantized, const Emitted& x,
                    const Range& range) {
  using enum BinaryKind;
  const Emitted length = EmitBinary(context, Sub, range.max, range.min, "length");
  const Output steps = AddFloat(context, quantized.steps(), "steps");
  const Emitted scale = EmitBinary(context, Div, steps, length, "scale");
  // TensorFlow clamps before it subtracts. In this order there are no two constants that a later
  // pass would merge.
  Emitted y = EmitBinary(context, Sub, x, range.min, "Sub");
  y = Clamped(context, y, {AddFloat(context, 0, "zero"), length});
  y = EmitBinary(context, Mul, y, scale, "Mul");
  if (quantized.lowest == 0) {
    y = EmitBinary(context, Add, y, 0.5, "half");
    return EmitUnary(context, UnaryKind::Floor, y, "integer");
  }
  y = EmitBinary(context, Sub, y, quantized.half_range(), "signed");
  return EmitRoundAway(context, y, "integer");
}

Emitted MinFirst(LegalizeContext& context, const Quantized& quantized, const Emitted& x,
                 const Range& range) {
  using enum BinaryKind;
  const Emitted length = EmitBinary(context, Sub, range.max, range.min, "length");
  const Output steps = AddFloat(context, quantized.steps(), "steps");
  const Emitted scale = EmitBinary(context, Div, steps, length, "scale");
  Emitted zero = EmitBinary(context, Mul, range.min, scale, "scaled_min");
  zero = EmitRoundAway(context, zero, "rounded_min");
  zero = EmitBinary(context, Sub, zero, quantized.lowest, "zero_point");
  Emitted y = EmitBinary(context, Mul, x, scale, "Mul");
  y = EmitRoundAway(context, y, "rounded");
  y = EmitBinary(context, Sub, y, zero, "Sub");
  const Output lowest = AddFloat(context, quantized.lowest, "lowest");
  // At most the largest float that an int32 holds.
  const Output highest = AddFloat(context, std::min(quantized.highest, 2147483520.0), "highest");
  return Clamped(context, y, {lowest, highest});
}

// The scale is one for which both ends of the range fit. `range` becomes what the integers stand
// for.
Emitted Scaled(LegalizeContext& context, const Quantized& quantized, bool half_to_even,
               const Emitted& x, Range* range) {
  using enum BinaryKind;
  const Output zero = AddFloat(context, 0, "zero");
  const Output never = AddFloat(context, std::numeric_limits<float>::max(), "never");
  const Output low = AddFloat(context, quantized.scaled_lowest, "low");
  const Output high = AddFloat(context, quantized.highest, "high");
  const Emitted by_min =
      quantized.scaled_lowest < 0 ? EmitBinary(context, Div, low, range->min, "by_min") : never;
  const Emitted by_max = EmitBinary(context, Div, high, range->max, "by_max");
  const Emitted scale_min = EmitIfLess(context, range->min, zero, by_min, never, "scale_min");
  const Emitted scale_max = EmitIfLess(context, zero, range->max, by_max, never, "scale_max");
  const Emitted scale = EmitBinary(context, Minimum, scale_min, scale_max, "scale");
  range->min = EmitBinary(context, Div, low, scale, "low_end");
  range->max = EmitBinary(context, Div, high, scale, "high_end");
  const Emitted y = EmitBinary(context, Mul, Clamped(context, x, *range), scale, "Mul");
  return half_to_even ? EmitUnary(context, UnaryKind::Round, y, "integer")
                      : EmitRoundAway(context, y, "integer");
}

absl::Status QuantizeV2(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Quantized quantized, GetQuantized(context));
  LINNET_ASSIGN_OR_RETURN(const float least, context.Float("ensure_minimum_range", 0.01f));
  LINNET_ASSIGN_OR_RETURN(const std::string& rounding,
                          context.String("round_mode", "HALF_AWAY_FROM_ZERO"));
  const bool half_to_even = rounding == "HALF_TO_EVEN";
  if (half_to_even && quantized.mode != Mode::kScaled)
    return Invalid("Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED'");
  LINNET_ASSIGN_OR_RETURN(Range range, GetRange(context, quantized));
  range = Widened(context, range, least);
  const Emitted x = context.input(0);
  const Emitted integer =
      quantized.mode == Mode::kMinCombined ? MinCombined(context, quantized, x, range)
      : quantized.mode == Mode::kMinFirst  ? MinFirst(context, quantized, x, range)
                                           : Scaled(context, quantized, half_to_even, x, &range);
  return context.Replace({EmitCast(context, quantized.dtype, integer),
                          EmitReshape(context, context.shape(1), range.min, "output_min"),
                          EmitReshape(context, context.shape(1), range.max, "output_max")});
}

absl::Status Dequantize(LegalizeContext& context) {
  using enum BinaryKind;
  LINNET_ASSIGN_OR_RETURN(const Quantized quantized, GetQuantized(context));
  LINNET_ASSIGN_OR_RETURN(const Range range, GetRange(context, quantized));
  const Emitted length = EmitBinary(context, Sub, range.max, range.min, "length");
  Emitted y = EmitCast(context, DType::kFloat32, context.input(0), "float");
  if (quantized.mode == Mode::kScaled) {
    Emitted scale = EmitBinary(context, Div, range.max, quantized.highest, "scale_max");
    if (quantized.lowest < 0) {
      const Emitted other =
          EmitBinary(context, Div, range.min, quantized.scaled_lowest, "scale_min");
      scale = EmitBinary(context, Maximum, other, scale, "scale");
    }
    return context.Replace(EmitBinary(context, Mul, y, scale));
  }
  const Emitted scale = EmitBinary(context, Div, length, quantized.steps(), "scale");
  Emitted min = range.min;
  if (quantized.mode == Mode::kMinFirst) {  // rounded to a step
    min = EmitBinary(context, Div, min, scale, "Div");
    min = EmitRoundAway(context, min, "steps");
    min = EmitBinary(context, Mul, min, scale, "rounded_min");
    min = EmitIfLess(context, range.min, range.max, min, range.min, "min");
  }
  if (quantized.lowest < 0) y = EmitBinary(context, Sub, y, quantized.lowest, "from_lowest");
  y = EmitBinary(context, Mul, y, scale, "Mul");
  return context.Replace(EmitBinary(context, Add, y, min));
}

}  // namespace

std::span<const TfOp> QuantizedTypeOps() {
  static constexpr TfOp kRows[] = {
      {"Dequantize", Dequantize, "Cast, Binary"},
      {"QuantizeV2", QuantizeV2, "Binary, Unary, Cast"},
  };
  return kRows;
}

}  // namespace linnet::converter
