// SPDX-License-Identifier: Apache-2.0
// Fake quantisation as float arithmetic. A pass that makes integers of it would have to run before
// legalize.
#include <cmath>
#include <limits>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"

namespace linnet::converter {
namespace {

// The range moved so that zero is exactly representable.
struct NudgedRange {
  float min, max, scale;
};

absl::StatusOr<NudgedRange> Nudge(const LegalizeContext& context, float min, float max) {
  LINNET_ASSIGN_OR_RETURN(const int64_t bits, context.Int("num_bits", 8));
  LINNET_ASSIGN_OR_RETURN(const bool narrow, context.Bool("narrow_range", false));
  if (bits < 2 || bits > 16) return Invalid("attr 'num_bits' is {}, want [2, 16]", bits);
  if (!(min <= max)) return Invalid("range [{}, {}] is empty", min, max);
  const float low = narrow ? 1.0f : 0.0f, high = static_cast<float>((1 << bits) - 1);
  const float scale = (max - min) / (high - low);
  const float zero = low - min / scale;
  const float nudged = zero < low ? low : zero > high ? high : std::round(zero);
  return NudgedRange{(low - nudged) * scale, (high - nudged) * scale, scale};
}

// floor((clamp(x) - min) / scale + 0.5) * scale + min.
absl::Status EmitFakeQuant(LegalizeContext& context, float min, float max) {
  const Output x = context.input(0);
  if (min == 0.0f && max == 0.0f)
    return context.Replace(
        EmitBroadcastTo(context, context.shape(x), context.AddScalar(DType::kFloat32, 0, "zero")));
  LINNET_ASSIGN_OR_RETURN(const NudgedRange range, Nudge(context, min, max));
  Emitted y = EmitClamp(context, {range.min, range.max}, x, "Clamp");
  y = EmitBinary(context, BinaryKind::Sub, y, range.min, "Sub");
  y = EmitBinary(context, BinaryKind::Mul, y, 1.0f / range.scale, "Mul");
  y = EmitBinary(context, BinaryKind::Add, y, 0.5, "Add");
  y = EmitUnary(context, UnaryKind::Floor, y, "Floor");
  y = EmitBinary(context, BinaryKind::Mul, y, range.scale, "Scale");
  return context.Replace(EmitBinary(context, BinaryKind::Add, y, range.min));
}

absl::Status FakeQuantArgs(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const float min, context.Float("min", -6.0f));
  LINNET_ASSIGN_OR_RETURN(const float max, context.Float("max", 6.0f));
  return EmitFakeQuant(context, min, max);
}

absl::Status FakeQuantVars(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const double min, context.ConstantScalar(1, "min"));
  LINNET_ASSIGN_OR_RETURN(const double max, context.ConstantScalar(2, "max"));
  return EmitFakeQuant(context, static_cast<float>(min), static_cast<float>(max));
}

absl::Status FakeQuantPerChannel(LegalizeContext& context) {
  const Constant* min = context.FindConstant(1);
  const Constant* max = context.FindConstant(2);
  if (min == nullptr || max == nullptr)
    return Unsupported("'min' and 'max' must be known at conversion");
  if (min->type.dtype != DType::kFloat32 || max->type.dtype != DType::kFloat32)
    return Invalid("'min' and 'max' are not float32");
  const Constant plain_min = min->Plain(), plain_max = max->Plain();
  const auto mins = plain_min.as<float>(), maxs = plain_max.as<float>();
  const Shape& shape = context.shape(0);
  if (shape.rank() < 1 || static_cast<int64_t>(mins.size()) != shape.back() ||
      mins.size() != maxs.size())
    return Invalid("{} and {} ranges for an input of shape {}", mins.size(), maxs.size(),
                   ShapeText(shape));
  std::vector<float> low, high, scale, inverse;
  for (size_t i = 0; i < mins.size(); ++i) {
    NudgedRange range{0.0f, 0.0f, 0.0f};
    if (mins[i] != 0.0f || maxs[i] != 0.0f) {
      LINNET_ASSIGN_OR_RETURN(range, Nudge(context, mins[i], maxs[i]));
    }
    low.push_back(range.min);
    high.push_back(range.max);
    scale.push_back(range.scale);
    inverse.push_back(range.scale == 0.0f ? 0.0f : 1.0f / range.scale);
  }
  const Output lows = context.AddVector(std::move(low), "low");
  const Output scales = context.AddVector(std::move(scale), "scale");
  const Output highs = context.AddVector(std::move(high), "high");
  Emitted y = context.input(0);
  y = EmitBinary(context, BinaryKind::Maximum, y, lows, "Maximum");
  y = EmitBinary(context, BinaryKind::Minimum, y, highs, "Minimum");
  y = EmitBinary(context, BinaryKind::Sub, y, lows, "Sub");
  y = EmitBinary(context, BinaryKind::Mul, y, context.AddVector(std::move(inverse), "inverse"),
                 "Mul");
  y = EmitBinary(context, BinaryKind::Add, y, 0.5, "Add");
  y = EmitUnary(context, UnaryKind::Floor, y, "Floor");
  y = EmitBinary(context, BinaryKind::Mul, y, scales, "Scale");
  return context.Replace(EmitBinary(context, BinaryKind::Add, y, lows));
}

// The attributes of the QuantizeAndDequantize family.
struct RoundTrip {
  double low, high;  // the range of the integers
  bool range_given, half_up;
  int axis = -1;  // the dimension whose slices have ranges of their own, or -1
};

absl::StatusOr<RoundTrip> GetRoundTrip(const LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t bits, context.num_inputs() == 4
                                                  ? context.ConstantInt(3, "num_bits")
                                                  : context.Int("num_bits", 8));
  LINNET_ASSIGN_OR_RETURN(const bool is_signed, context.Bool("signed_input", true));
  LINNET_ASSIGN_OR_RETURN(const bool narrow, context.Bool("narrow_range", false));
  if (bits < 1 || bits > 24 + (is_signed ? 1 : 0)) return Unsupported("{} bits", bits);
  RoundTrip trip;
  trip.high = static_cast<double>((int64_t{1} << (bits - (is_signed ? 1 : 0))) - 1);
  trip.low = is_signed ? -trip.high - (narrow ? 0 : 1) : 0;
  LINNET_ASSIGN_OR_RETURN(trip.range_given, context.Bool("range_given", context.num_inputs() == 4));
  LINNET_ASSIGN_OR_RETURN(const std::string& mode, context.String("round_mode", "HALF_TO_EVEN"));
  trip.half_up = mode == "HALF_UP";
  if (!trip.half_up && mode != "HALF_TO_EVEN") return Invalid("attr 'round_mode' is {}", mode);
  LINNET_ASSIGN_OR_RETURN(const int64_t axis, context.Int("axis", -1));
  if (axis != -1) {
    LINNET_ASSIGN_OR_RETURN(trip.axis, context.Axis(axis, context.shape(0).rank(), "axis"));
  }
  return trip;
}

// The lower or the upper end of the range: as given, or the smallest or largest element. It
// broadcasts against the elements.
Emitted EmitBound(LegalizeContext& context, const RoundTrip& trip, int input, ReduceKind kind,
                  const char* attr, const std::string& name) {
  const Shape& shape = context.shape(0);
  Shape wanted, others;
  for (int i = 0; i < shape.rank(); ++i) {
    if (trip.axis >= 0) wanted.Append(i == trip.axis ? shape[i] : 1);
    if (i != trip.axis) others.Append(i);
  }
  if (!trip.range_given) {
    const Emitted found = EmitReduce(context, kind, others, trip.axis >= 0, context.input(0), name);
    return EmitReshape(context, wanted, found, name + "/reshaped");
  }
  Output bound;
  if (context.num_inputs() > input) {
    bound = context.input(input);
  } else {
    LINNET_ASSIGN_OR_RETURN(const float value, context.Float(attr, 0.0f));
    bound = context.AddScalar(DType::kFloat32, value, name);
  }
  if (context.shape(bound).num_elements() != wanted.num_elements())
    return Invalid("a range of shape {} for an input of shape {}", ShapeText(context.shape(bound)),
                   ShapeText(shape));
  return EmitReshape(context, wanted, bound, name + "/reshaped");
}

struct Scales {
  Emitted min, max, scale, inverse;
};

// The end of the range that needs the larger steps decides; the other end follows from it.
Scales EmitScales(LegalizeContext& context, const RoundTrip& trip, const Emitted& min,
                  const Emitted& max) {
  const auto scalar = [&](double value, const char* name) {
    return context.AddScalar(DType::kFloat32, value, name);
  };
  const Output zero = scalar(0, "zero"), never = scalar(std::numeric_limits<float>::max(), "never");
  const Output low = scalar(trip.low, "low"), high = scalar(trip.high, "high");
  Emitted by_max = EmitBinary(context, BinaryKind::Div, high, max, "by_max");
  const Emitted has_max = EmitCompare(context, CompareKind::Greater, max, zero, "has_max");
  by_max = EmitSelect(context, has_max, by_max, never, "scale_max");
  Scales scales;
  const Emitted step_max = EmitBinary(context, BinaryKind::Div, max, high, "step_max");
  const Emitted other_min = EmitBinary(context, BinaryKind::Mul, low, step_max, "other_min");
  if (trip.low == 0) return Scales{other_min, max, by_max, step_max};
  Emitted by_min = EmitBinary(context, BinaryKind::Div, low, min, "by_min");
  const Emitted has_min = EmitCompare(context, CompareKind::Less, min, zero, "has_min");
  by_min = EmitSelect(context, has_min, by_min, never, "scale_min");
  const Emitted step_min = EmitBinary(context, BinaryKind::Div, min, low, "step_min");
  const Emitted other_max = EmitBinary(context, BinaryKind::Mul, high, step_min, "other_max");
  const Emitted first = EmitCompare(context, CompareKind::Less, by_min, by_max, "min_decides");
  scales.scale = EmitSelect(context, first, by_min, by_max, "scale");
  scales.inverse = EmitSelect(context, first, step_min, step_max, "step");
  scales.min = EmitSelect(context, first, min, other_min, "min");
  scales.max = EmitSelect(context, first, other_max, max, "max");
  return scales;
}

// round(clamp(x) * scale) / scale.
absl::Status QuantizeAndDequantize(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const RoundTrip trip, GetRoundTrip(context));
  const Emitted min = EmitBound(context, trip, 1, ReduceKind::Min, "input_min", "input_min");
  const Emitted max = EmitBound(context, trip, 2, ReduceKind::Max, "input_max", "input_max");
  const Scales scales = EmitScales(context, trip, min, max);
  Emitted y = context.input(0);
  if (trip.range_given) {
    y = EmitBinary(context, BinaryKind::Minimum, y, scales.max, "Minimum");
    y = EmitBinary(context, BinaryKind::Maximum, y, scales.min, "Maximum");
  }
  y = EmitBinary(context, BinaryKind::Mul, y, scales.scale, "Mul");
  if (trip.half_up) y = EmitBinary(context, BinaryKind::Add, y, 0.5, "Add");
  const UnaryKind round = trip.half_up ? UnaryKind::Floor : UnaryKind::Round;
  y = EmitUnary(context, round, y, "Round");
  return context.Replace(EmitBinary(context, BinaryKind::Mul, y, scales.inverse));
}

constexpr char kRoundTrip[] = "Reduce, Compare, Select, Binary, Unary; 25 bits at most";
constexpr char kAsFloat[] = "Clamp, Binary, Unary; range known";

}  // namespace

std::span<const TfOp> QuantizationOps() {
  static constexpr TfOp kRows[] = {
      {"FakeQuantWithMinMaxArgs", FakeQuantArgs, kAsFloat},
      {"FakeQuantWithMinMaxVars", FakeQuantVars, kAsFloat},
      {"FakeQuantWithMinMaxVarsPerChannel", FakeQuantPerChannel, kAsFloat},
      {"QuantizeAndDequantize", QuantizeAndDequantize, kRoundTrip},
      {"QuantizeAndDequantizeV2", QuantizeAndDequantize, kRoundTrip},
      {"QuantizeAndDequantizeV3", QuantizeAndDequantize, kRoundTrip},
      {"QuantizeAndDequantizeV4", QuantizeAndDequantize, kRoundTrip},
  };
  return kRows;
}

}  // namespace linnet::converter
