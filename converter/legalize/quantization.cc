// SPDX-License-Identifier: Apache-2.0
// Fake quantisation as float arithmetic: right, if slow. A quantiser that wants the integers has to
// look for it before legalize.
#include <cmath>

#include "converter/legalize/building_blocks.h"
#include "converter/legalize/tf_op_table.h"

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
  LINNET_ASSIGN_OR_RETURN(Output y, EmitClamp(context, {range.min, range.max}, x, "Clamp"));
  LINNET_ASSIGN_OR_RETURN(y, EmitBinary(context, BinaryKind::Sub, y, range.min, "Sub"));
  LINNET_ASSIGN_OR_RETURN(y, EmitBinary(context, BinaryKind::Mul, y, 1.0f / range.scale, "Mul"));
  LINNET_ASSIGN_OR_RETURN(y, EmitBinary(context, BinaryKind::Add, y, 0.5, "Add"));
  LINNET_ASSIGN_OR_RETURN(y, EmitUnary(context, UnaryKind::Floor, y, "Floor"));
  LINNET_ASSIGN_OR_RETURN(y, EmitBinary(context, BinaryKind::Mul, y, range.scale, "Scale"));
  return context.Replace(EmitBinary(context, BinaryKind::Add, y, range.min));
}

absl::Status FakeQuantArgs(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(1, 1));
  LINNET_ASSIGN_OR_RETURN(const float min, context.Float("min", -6.0f));
  LINNET_ASSIGN_OR_RETURN(const float max, context.Float("max", 6.0f));
  return EmitFakeQuant(context, min, max);
}

absl::Status FakeQuantVars(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(3, 3));
  LINNET_ASSIGN_OR_RETURN(const double min, context.ConstantScalar(1, "min"));
  LINNET_ASSIGN_OR_RETURN(const double max, context.ConstantScalar(2, "max"));
  return EmitFakeQuant(context, static_cast<float>(min), static_cast<float>(max));
}

absl::Status FakeQuantPerChannel(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(3, 3));
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
  const Shape channels = {static_cast<int64_t>(mins.size())};
  const auto add = [&](std::vector<float> values, const char* name) {
    return context.AddConstant(Constant::Of<float>(channels, std::move(values)), name);
  };
  const Output lows = add(std::move(low), "low"), scales = add(std::move(scale), "scale");
  const Output highs = add(std::move(high), "high");
  Output y = context.input(0);
  LINNET_ASSIGN_OR_RETURN(y, EmitBinary(context, BinaryKind::Maximum, y, lows, "Maximum"));
  LINNET_ASSIGN_OR_RETURN(y, EmitBinary(context, BinaryKind::Minimum, y, highs, "Minimum"));
  LINNET_ASSIGN_OR_RETURN(y, EmitBinary(context, BinaryKind::Sub, y, lows, "Sub"));
  LINNET_ASSIGN_OR_RETURN(
      y, EmitBinary(context, BinaryKind::Mul, y, add(std::move(inverse), "inverse"), "Mul"));
  LINNET_ASSIGN_OR_RETURN(y, EmitBinary(context, BinaryKind::Add, y, 0.5, "Add"));
  LINNET_ASSIGN_OR_RETURN(y, EmitUnary(context, UnaryKind::Floor, y, "Floor"));
  LINNET_ASSIGN_OR_RETURN(y, EmitBinary(context, BinaryKind::Mul, y, scales, "Scale"));
  return context.Replace(EmitBinary(context, BinaryKind::Add, y, lows));
}

constexpr char kAsFloat[] = "Clamp, Binary, Unary; range known";
constexpr TfOp kRows[] = {
    {"FakeQuantWithMinMaxArgs", FakeQuantArgs, kAsFloat},
    {"FakeQuantWithMinMaxVars", FakeQuantVars, kAsFloat},
    {"FakeQuantWithMinMaxVarsPerChannel", FakeQuantPerChannel, kAsFloat},
};

}  // namespace

std::span<const TfOp> QuantizationOps() { return kRows; }

}  // namespace linnet::converter
