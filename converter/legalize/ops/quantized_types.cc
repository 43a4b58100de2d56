// SPDX-License-Identifier: Apache-2.0
// QuantizeV2 and Dequantize: floats to integers with a range beside them, and back. The integers
// are TensorFlow's, bit by bit: each float operation here is one of its kernel's, in its order.
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
  int axis;              // of the slices with ranges of their own, or -1

  double steps() const { return highest - lowest; }
  // Signed integers are moved by half their range.
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
  switch (quantized->dtype) {
    case DType::kInt8:
      quantized->lowest = -0x1p7;
      quantized->highest = 0x1p7 - 1;
      return absl::OkStatus();
    case DType::kUint8:
      quantized->lowest = 0;
      quantized->highest = 0x1p8 - 1;
      return absl::OkStatus();
    case DType::kInt16:
      quantized->lowest = -0x1p15;
      quantized->highest = 0x1p15 - 1;
      return absl::OkStatus();
    case DType::kUint16:
      quantized->lowest = 0;
      quantized->highest = 0x1p16 - 1;
      return absl::OkStatus();
    case DType::kInt32:
      quantized->lowest = -0x1p31;
      quantized->highest = 0x1p31 - 1;
      return absl::OkStatus();
    default:
      return Invalid("attr 'T' is no quantised type");
  }
}

absl::StatusOr<Quantized> GetQuantized(const LegalizeContext& context) {
  Quantized quantized{};
  LINNET_ASSIGN_OR_RETURN(quantized.mode, GetMode(context));
  LINNET_ASSIGN_OR_RETURN(quantized.dtype, context.Type("T", DType::kInvalid));
  LINNET_RETURN_IF_ERROR(SetLimits(&quantized));
  LINNET_ASSIGN_OR_RETURN(const bool narrow, context.Bool("narrow_range", false));
  quantized.scaled_lowest = quantized.lowest + (narrow ? 1 : 0);
  LINNET_ASSIGN_OR_RETURN(const int64_t axis, context.Int("axis", -1));
  quantized.axis = -1;
  if (axis != -1) {
    LINNET_ASSIGN_OR_RETURN(quantized.axis,
                            LegalizeContext::Axis(axis, context.shape(0).rank(), "axis"));
    if (quantized.mode == Mode::kMinFirst)
      return Invalid("MIN_FIRST mode is not implemented with axis != -1");
  }
  return quantized;
}

// Chains of float operations that must not be reordered, each step named after what it is.
class Steps {
 public:
  explicit Steps(LegalizeContext& context) : context_(context) {}

  Emitted Scalar(double value, const char* name) {
    return context_.AddScalar(DType::kFloat32, value, name);
  }
  Emitted Binary(BinaryKind kind, const Emitted& a, const Emitted& b, const char* name) {
    return EmitBinary(context_, kind, a, b, name);
  }
  Emitted Binary(BinaryKind kind, const Emitted& a, double b, const char* name) {
    return EmitBinary(context_, kind, a, b, name);
  }
  Emitted Unary(UnaryKind kind, const Emitted& x, const char* name) {
    return EmitUnary(context_, kind, x, name);
  }
  // a < b ? c : d
  Emitted Choose(const Emitted& a, const Emitted& b, const Emitted& c, const Emitted& d,
                 const char* name) {
    const Emitted less = EmitCompare(context_, CompareKind::Less, a, b, "Less");
    return EmitSelect(context_, less, c, d, name);
  }
  Emitted Cast(DType dtype, const Emitted& x, const char* name) {
    return EmitCast(context_, dtype, x, name);
  }
  Emitted Reshape(const Shape& shape, const Emitted& x, const char* name) {
    return EmitReshape(context_, shape, x, name);
  }
  // Halves away from zero. The constant is the largest float below a half, which a half itself and
  // it round up from.
  Emitted RoundAway(const Emitted& x, const char* name) {
    Emitted y = Binary(BinaryKind::Add, Unary(UnaryKind::Abs, x, "Abs"), 0x1.fffffep-2, "Add");
    y = Unary(UnaryKind::Floor, y, "Floor");
    return Binary(BinaryKind::Mul, y, Unary(UnaryKind::Sign, x, "Sign"), name);
  }

 private:
  LegalizeContext& context_;
};

struct Range {
  Emitted min, max;
};

// The range inputs, so that they broadcast against the tensor.
absl::StatusOr<Range> GetRange(LegalizeContext& context, Steps& steps, const Quantized& quantized) {
  const Shape& shape = context.shape(0);
  Shape wanted;
  for (int i = 0; quantized.axis >= 0 && i < shape.rank(); ++i)
    wanted.Append(i == quantized.axis ? shape[i] : 1);
  for (const int i : {1, 2})
    if (context.shape(i).num_elements() != wanted.num_elements())
      return Invalid("a range of shape {} for an input of shape {}", ShapeText(context.shape(i)),
                     ShapeText(shape));
  return Range{steps.Reshape(wanted, context.input(1), "min_range"),
               steps.Reshape(wanted, context.input(2), "max_range")};
}

// Zero is in it, and its ends are apart.
Range Widened(Steps& steps, Range given, float least) {
  using enum BinaryKind;
  const Emitted min = steps.Binary(Minimum, given.min, 0.0, "min");
  const Emitted size_of_min = steps.Unary(UnaryKind::Abs, given.min, "Abs");
  const Emitted size_of_max = steps.Unary(UnaryKind::Abs, given.max, "Abs");
  Emitted apart = steps.Binary(Maximum, size_of_min, size_of_max, "Maximum");
  apart = steps.Binary(Mul, steps.Binary(Maximum, apart, 1.0, "Maximum"), least, "apart");
  const Emitted max =
      steps.Binary(Maximum, given.max, steps.Binary(Add, min, apart, "Add"), "Maximum");
  return {min, steps.Binary(Maximum, max, 0.0, "max")};
}

Emitted Clamped(Steps& steps, const Emitted& x, Range range) {
  const Emitted below = steps.Binary(BinaryKind::Minimum, x, range.max, "Minimum");
  return steps.Binary(BinaryKind::Maximum, below, range.min, "Maximum");
}

Emitted MinCombined(Steps& steps, const Quantized& quantized, const Emitted& x, Range range) {
  using enum BinaryKind;
  const Emitted length = steps.Binary(Sub, range.max, range.min, "length");
  const Emitted scale =
      steps.Binary(Div, steps.Scalar(quantized.steps(), "steps"), length, "scale");
  // TensorFlow clamps before it subtracts. This way no constants meet that could be merged.
  Emitted y = steps.Binary(Sub, x, range.min, "Sub");
  y = Clamped(steps, y, {steps.Scalar(0, "zero"), length});
  y = steps.Binary(Mul, y, scale, "Mul");
  if (quantized.lowest == 0)
    return steps.Unary(UnaryKind::Floor, steps.Binary(Add, y, 0.5, "half"), "integer");
  return steps.RoundAway(steps.Binary(Sub, y, quantized.half_range(), "signed"), "integer");
}

Emitted MinFirst(Steps& steps, const Quantized& quantized, const Emitted& x, Range range) {
  using enum BinaryKind;
  const Emitted length = steps.Binary(Sub, range.max, range.min, "length");
  const Emitted scale =
      steps.Binary(Div, steps.Scalar(quantized.steps(), "steps"), length, "scale");
  Emitted zero = steps.RoundAway(steps.Binary(Mul, range.min, scale, "scaled_min"), "rounded_min");
  zero = steps.Binary(Sub, zero, quantized.lowest, "zero_point");
  Emitted y = steps.RoundAway(steps.Binary(Mul, x, scale, "Mul"), "rounded");
  y = steps.Binary(Sub, y, zero, "Sub");
  // The largest float that an int32 holds.
  const double highest = std::min(quantized.highest, 2147483520.0);
  return Clamped(steps, y,
                 {steps.Scalar(quantized.lowest, "lowest"), steps.Scalar(highest, "highest")});
}

// Both sides of the range shall fit: `range` becomes what the integers reach.
Emitted Scaled(Steps& steps, const Quantized& quantized, bool half_to_even, const Emitted& x,
               Range* range) {
  using enum BinaryKind;
  const Emitted zero = steps.Scalar(0, "zero"),
                never = steps.Scalar(std::numeric_limits<float>::max(), "never");
  const Emitted low = steps.Scalar(quantized.scaled_lowest, "low"),
                high = steps.Scalar(quantized.highest, "high");
  const Emitted by_min =
      quantized.scaled_lowest < 0 ? steps.Binary(Div, low, range->min, "by_min") : never;
  const Emitted by_max = steps.Binary(Div, high, range->max, "by_max");
  const Emitted scale_min = steps.Choose(range->min, zero, by_min, never, "scale_min");
  const Emitted scale_max = steps.Choose(zero, range->max, by_max, never, "scale_max");
  const Emitted scale = steps.Binary(Minimum, scale_min, scale_max, "scale");
  *range = {steps.Binary(Div, low, scale, "low_end"), steps.Binary(Div, high, scale, "high_end")};
  const Emitted y = steps.Binary(Mul, Clamped(steps, x, *range), scale, "Mul");
  return half_to_even ? steps.Unary(UnaryKind::Round, y, "integer") : steps.RoundAway(y, "integer");
}

absl::Status QuantizeV2(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Quantized quantized, GetQuantized(context));
  LINNET_ASSIGN_OR_RETURN(const float least, context.Float("ensure_minimum_range", 0.01f));
  LINNET_ASSIGN_OR_RETURN(const std::string& rounding,
                          context.String("round_mode", "HALF_AWAY_FROM_ZERO"));
  const bool half_to_even = rounding == "HALF_TO_EVEN";
  if (half_to_even && quantized.mode != Mode::kScaled)
    return Invalid("Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED'");
  Steps steps(context);
  LINNET_ASSIGN_OR_RETURN(Range range, GetRange(context, steps, quantized));
  range = Widened(steps, range, least);
  const Emitted x = context.input(0);
  const Emitted integer =
      quantized.mode == Mode::kMinCombined ? MinCombined(steps, quantized, x, range)
      : quantized.mode == Mode::kMinFirst  ? MinFirst(steps, quantized, x, range)
                                           : Scaled(steps, quantized, half_to_even, x, &range);
  return context.Replace({steps.Cast(quantized.dtype, integer, ""),
                          steps.Reshape(context.shape(1), range.min, "output_min"),
                          steps.Reshape(context.shape(1), range.max, "output_max")});
}

absl::Status Dequantize(LegalizeContext& context) {
  using enum BinaryKind;
  LINNET_ASSIGN_OR_RETURN(const Quantized quantized, GetQuantized(context));
  Steps steps(context);
  LINNET_ASSIGN_OR_RETURN(const Range range, GetRange(context, steps, quantized));
  const Emitted length = steps.Binary(Sub, range.max, range.min, "length");
  Emitted y = steps.Cast(DType::kFloat32, context.input(0), "float");
  if (quantized.mode == Mode::kScaled) {
    Emitted scale = steps.Binary(Div, range.max, quantized.highest, "scale_max");
    if (quantized.lowest < 0)
      scale =
          steps.Binary(Maximum, steps.Binary(Div, range.min, quantized.scaled_lowest, "scale_min"),
                       scale, "scale");
    y = steps.Binary(Mul, y, scale, "");
  } else {
    const Emitted scale = steps.Binary(Div, length, quantized.steps(), "scale");
    Emitted min = range.min;
    if (quantized.mode == Mode::kMinFirst) {  // rounded to a step
      const Emitted step = steps.RoundAway(steps.Binary(Div, min, scale, "Div"), "steps");
      min = steps.Choose(range.min, range.max, steps.Binary(Mul, step, scale, "rounded_min"), min,
                         "min");
    }
    if (quantized.lowest < 0) y = steps.Binary(Sub, y, quantized.lowest, "from_lowest");
    y = steps.Binary(Add, steps.Binary(Mul, y, scale, "Mul"), min, "");
  }
  return context.Replace(y);
}

constexpr TfOp kRows[] = {
    {"Dequantize", Dequantize, "Cast, Binary"},
    {"QuantizeV2", QuantizeV2, "Binary, Unary, Cast"},
};

}  // namespace

std::span<const TfOp> QuantizedTypeOps() { return kRows; }

}  // namespace linnet::converter
