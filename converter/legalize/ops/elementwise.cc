// SPDX-License-Identifier: Apache-2.0
// Elementwise ops, with broadcasting: unary and binary ones, comparisons, casts, activations.
#include <algorithm>
#include <iterator>
#include <limits>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/ops/activations.h"
#include "converter/legalize/ops/special_functions.h"
#include "runtime/ops/all_attrs.h"

namespace linnet::converter {
namespace {

template <CompareKind kKind>
absl::Status Compare(LegalizeContext& context) {
  return context.Replace(EmitCompare(context, kKind, context.input(0), context.input(1)));
}

template <Activation kActivation>
absl::Status Activate(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const float alpha, context.Float("alpha", 0.2f));
  return context.Replace(EmitActivation(context, kActivation, alpha, context.input(0)));
}

// Rounding of integers is the identity in TensorFlow.
template <UnaryKind kKind>
absl::Status Rounding(LegalizeContext& context) {
  if (IsInteger(context.type(0).dtype)) return context.Replace(context.input(0));
  return Unary<kKind>(context);
}

absl::Status Prelu(LegalizeContext& context) {
  return context.Replace(context.Emit(PreluAttrs(), {context.input(0), context.input(1)}));
}

// floor(x / y) of an x that follows from extents and is never above 0, as of -n: -floor((y - 1 - x)
// / y), as quotients of what is not negative are known as extents.
Emitted EmitFloorDiv(LegalizeContext& context, Output x, Output y, std::string_view suffix) {
  const std::optional<int64_t> most = context.LargestOf(x);
  if (!most || *most > 0) return EmitBinary(context, BinaryKind::FloorDiv, x, y, suffix);
  const Emitted last = EmitBinary(context, BinaryKind::Sub, y, 1, "last");
  Emitted quotient = EmitBinary(context, BinaryKind::Sub, last, x, "rounded_up");
  quotient = EmitBinary(context, BinaryKind::FloorDiv, quotient, y, "negative");
  return EmitUnary(context, UnaryKind::Neg, quotient, suffix);
}

// Is this a quotient, or a remainder, of extents by a constant above 0? One that is far from where
// the sums above overflow.
bool DividesExtents(const LegalizeContext& context) {
  const Constant* divisor = context.FindConstant(1);
  if (divisor == nullptr || !context.FollowsFromExtents(context.input(0))) return false;
  constexpr int64_t kMost = 1 << 20;
  return std::ranges::all_of(divisor->ToInt64(), [](int64_t by) { return by > 0 && by <= kMost; });
}

absl::Status FloorDiv(LegalizeContext& context) {
  const Output x = context.input(0), y = context.input(1);
  return context.Replace(DividesExtents(context) ? EmitFloorDiv(context, x, y, "")
                                                 : EmitBinary(context, BinaryKind::FloorDiv, x, y));
}

// The remainder of extents is spelled out as x - floor(x / y) * y, which is a sum of symbols.
absl::Status FloorMod(LegalizeContext& context) {
  const Output x = context.input(0), y = context.input(1);
  if (!DividesExtents(context))
    return context.Replace(EmitBinary(context, BinaryKind::FloorMod, x, y));
  Emitted whole = EmitFloorDiv(context, x, y, "FloorDiv");
  whole = EmitBinary(context, BinaryKind::Mul, whole, y, "Mul");
  return context.Replace(EmitBinary(context, BinaryKind::Sub, x, whole));
}

// Shifts by more bits than a narrow dtype has become shifts by all its bits but one.
template <BinaryKind kKind>
absl::Status Shift(LegalizeContext& context) {
  const int64_t bits = 8 * DTypeBytes(context.type(1).dtype);
  Emitted count = context.input(1);
  if (bits < 32)
    count = EmitBinary(context, BinaryKind::Minimum, count, static_cast<double>(bits - 1), "count");
  return context.Replace(EmitBinary(context, kKind, context.input(0), count));
}

// Is |x - y| below the tolerance?
absl::Status ApproximateEqual(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const float tolerance, context.Float("tolerance", 1e-5f));
  Emitted distance =
      EmitBinary(context, BinaryKind::Sub, context.input(0), context.input(1), "difference");
  distance = EmitUnary(context, UnaryKind::Abs, distance, "distance");
  distance = EmitCast(context, DType::kFloat32, distance, "float");
  const Output limit = context.AddScalar(DType::kFloat32, tolerance, "tolerance");
  return context.Replace(EmitCompare(context, CompareKind::Less, distance, limit));
}

// x * y, but 0 where y is 0, even if x is infinite or NaN.
absl::Status MulNoNan(LegalizeContext& context) {
  const Output x = context.input(0), y = context.input(1);
  const Output zero = context.AddScalar(context.type(y).dtype, 0, "zero");
  const Emitted is_zero = EmitCompare(context, CompareKind::Equal, y, zero, "is_zero");
  const Emitted product = EmitBinary(context, BinaryKind::Mul, x, y, "Mul");
  return context.Replace(EmitSelect(context, is_zero, zero, product));
}

// Xlogy, Xlog1py and Xdivy: 0 where x is 0, whatever y is.
template <BinaryKind kKind, UnaryKind kLog>
absl::Status ZeroWhereXIsZero(LegalizeContext& context) {
  const Output x = context.input(0);
  Emitted y = context.input(1);
  const Output zero = context.AddScalar(context.type(x).dtype, 0, "zero");
  const Emitted is_zero = EmitCompare(context, CompareKind::Equal, x, zero, "is_zero");
  if (kLog != UnaryKind::Invalid) y = EmitUnary(context, kLog, y, "Log");
  const Emitted value = EmitBinary(context, kKind, x, y, "value");
  return context.Replace(EmitSelect(context, is_zero, zero, value));
}

absl::Status AddN(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(1, kMaxOpInputs));
  Emitted sum = context.input(0);
  for (int i = 1; i < context.num_inputs(); ++i) {
    const bool last = i + 1 == context.num_inputs();
    const std::string suffix = last ? "" : fmt::format("Add_{}", i);
    sum = EmitBinary(context, BinaryKind::Add, sum, context.input(i), suffix);
  }
  return context.Replace(sum);
}

absl::Status Cast(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const DType dtype, context.Type("DstT", DType::kInvalid));
  if (dtype == DType::kInvalid) return Invalid("attr 'DstT' is missing");
  return context.Replace(EmitCast(context, dtype, context.input(0)));
}

absl::Status BiasAdd(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(1, 1));
  LINNET_ASSIGN_OR_RETURN(const std::string& format, context.String("data_format", "NHWC"));
  const int rank = context.shape(0).rank();
  if ((format != "NHWC" && format != "NCHW") || rank < 2)
    return Unsupported("attr 'data_format' is {} for rank {}", format, rank);
  if (format == "NHWC")
    return context.Replace(
        EmitBinary(context, BinaryKind::Add, context.input(0), context.input(1)));
  // Channels are dimension 1. In four dimensions the addition is done in NHWC, so that its
  // transposes cancel against those of a convolution before it.
  if (rank == 4) {
    const DataFormat nchw{true};
    const Emitted x = ToChannelsLast(context, nchw, context.input(0));
    const Emitted sum =
        EmitBinary(context, BinaryKind::Add, x, context.input(1), ChannelsLastSuffix(nchw, ""));
    return context.Replace(FromChannelsLast(context, nchw, sum));
  }
  Shape per_channel = Filled(rank - 1, 1);
  per_channel[0] = context.shape(1)[0];
  const Emitted bias = EmitReshape(context, per_channel, context.input(1), "bias");
  return context.Replace(EmitBinary(context, BinaryKind::Add, context.input(0), bias));
}

// max(min(x, high), low): a Clamp where the bounds are constant scalars.
absl::Status ClipByValue(LegalizeContext& context) {
  const Constant* low = context.FindConstant(1);
  const Constant* high = context.FindConstant(2);
  if (context.type(0).dtype == DType::kFloat32 && low != nullptr && high != nullptr &&
      low->type.shape.num_elements() == 1 && high->type.shape.num_elements() == 1 &&
      low->ScalarValue() <= high->ScalarValue()) {
    const OutputRange range{static_cast<float>(low->ScalarValue()),
                            static_cast<float>(high->ScalarValue())};
    return context.Replace(EmitClamp(context, range, context.input(0)));
  }
  const Emitted above =
      EmitBinary(context, BinaryKind::Minimum, context.input(0), context.input(2), "Minimum");
  return context.Replace(EmitBinary(context, BinaryKind::Maximum, above, context.input(1)));
}

bool IsAll(const Constant& constant, bool value) {
  return std::ranges::all_of(constant.ToInt64(), [value](int64_t x) { return (x != 0) == value; });
}

// LogicalAnd, LogicalOr. One constant operand may decide the result. That is how a counter ends a
// loop whose other condition depends on the model's input.
template <BinaryKind kKind>
absl::Status Logical(LegalizeContext& context) {
  constexpr bool kDecides = kKind == BinaryKind::LogicalOr;
  for (int i = 0; i < 2 && context.type(0) == context.type(1); ++i) {
    const Constant* constant = context.FindConstant(i);
    if (constant == nullptr || constant->type.dtype != DType::kBool) continue;
    if (IsAll(*constant, kDecides)) return context.Replace(context.input(i));
    if (IsAll(*constant, !kDecides)) return context.Replace(context.input(1 - i));
  }
  return Binary<kKind>(context);
}

}  // namespace

std::span<const TfOp> ElementwiseOps() {
  static constexpr TfOp kRows[] = {
      {"Abs", Unary<UnaryKind::Abs>, "Unary", kMayVary},
      {"Acos", Unary<UnaryKind::Acos>, "Unary", kMayVary},
      {"Acosh", Unary<UnaryKind::Acosh>, "Unary", kMayVary},
      {"AccumulateNV2", AddN, "Binary", kTakesComplex},
      {"Add", Binary<BinaryKind::Add>, "Binary", kMayVary | kTakesComplex},
      {"AddN", AddN, "Binary", kMayVary | kTakesComplex},
      {"AddV2", Binary<BinaryKind::Add>, "Binary", kMayVary | kTakesComplex},
      {"ApproximateEqual", ApproximateEqual, "Binary, Unary, Compare", kMayVary},
      {"Asin", Unary<UnaryKind::Asin>, "Unary", kMayVary},
      {"Asinh", Unary<UnaryKind::Asinh>, "Unary", kMayVary},
      {"Atan", Unary<UnaryKind::Atan>, "Unary", kMayVary},
      {"Atan2", Binary<BinaryKind::Atan2>, "Binary", kMayVary},
      {"Atanh", Unary<UnaryKind::Atanh>, "Unary", kMayVary},
      {"BesselI0", BesselI0, "Unary, Binary, Compare, Select", kMayVary},
      {"BesselI0e", BesselI0e, "Unary, Binary, Compare, Select", kMayVary},
      {"BesselI1", BesselI1, "Unary, Binary, Compare, Select", kMayVary},
      {"BesselI1e", BesselI1e, "Unary, Binary, Compare, Select", kMayVary},
      {"BesselJ0", BesselJ0, "Unary, Binary, Compare, Select", kMayVary},
      {"BesselJ1", BesselJ1, "Unary, Binary, Compare, Select", kMayVary},
      {"BesselK0", BesselK0, "Unary, Binary, Compare, Select", kMayVary},
      {"BesselK0e", BesselK0e, "Unary, Binary, Compare, Select", kMayVary},
      {"BesselK1", BesselK1, "Unary, Binary, Compare, Select", kMayVary},
      {"BesselK1e", BesselK1e, "Unary, Binary, Compare, Select", kMayVary},
      {"BesselY0", BesselY0, "Unary, Binary, Compare, Select", kMayVary},
      {"BesselY1", BesselY1, "Unary, Binary, Compare, Select", kMayVary},
      {"BiasAdd", BiasAdd, "Binary", kMayVary},
      {"BiasAddV1", BiasAdd, "Binary", kMayVary},
      {"BitwiseAnd", Binary<BinaryKind::BitwiseAnd>, "Binary", kMayVary},
      {"BitwiseOr", Binary<BinaryKind::BitwiseOr>, "Binary", kMayVary},
      {"BitwiseXor", Binary<BinaryKind::BitwiseXor>, "Binary", kMayVary},
      {"Cast", Cast, "Cast; to half and double: stays f32", kMayVary},
      {"Ceil", Rounding<UnaryKind::Ceil>, "Unary", kMayVary},
      {"ClipByValue", ClipByValue, "Clamp, or Binary where the bounds are tensors", kMayVary},
      {"Cos", Unary<UnaryKind::Cos>, "Unary", kMayVary},
      {"Cosh", Unary<UnaryKind::Cosh>, "Unary", kMayVary},
      {"Digamma", Unary<UnaryKind::Digamma>, "Unary"},
      {"Div", Binary<BinaryKind::Div>, "Binary; integers truncate", kMayVary},
      {"DivNoNan", Binary<BinaryKind::DivNoNan>, "Binary", kMayVary},
      {"Elu", Activate<Activation::kElu>, "Unary", kMayVary},
      {"Equal", Compare<CompareKind::Equal>, "Compare", kMayVary},
      {"Erf", Unary<UnaryKind::Erf>, "Unary", kMayVary},
      {"Erfc", Unary<UnaryKind::Erfc>, "Unary", kMayVary},
      {"Erfinv", Unary<UnaryKind::Erfinv>, "Unary"},
      {"Exp", Unary<UnaryKind::Exp>, "Unary", kMayVary},
      {"Expm1", Unary<UnaryKind::Expm1>, "Unary", kMayVary},
      {"Floor", Rounding<UnaryKind::Floor>, "Unary", kMayVary},
      {"FloorDiv", FloorDiv, "Binary", kMayVary},
      {"FloorMod", FloorMod, "Binary", kMayVary},
      {"Greater", Compare<CompareKind::Greater>, "Compare", kMayVary},
      {"GreaterEqual", Compare<CompareKind::GreaterEqual>, "Compare", kMayVary},
      {"Inv", Unary<UnaryKind::Reciprocal>, "Unary", kMayVary},
      {"Invert", Unary<UnaryKind::BitwiseNot>, "Unary", kMayVary},
      {"IsFinite", Unary<UnaryKind::IsFinite>, "Unary", kMayVary},
      {"IsInf", Unary<UnaryKind::IsInf>, "Unary", kMayVary},
      {"IsNan", Unary<UnaryKind::IsNan>, "Unary", kMayVary},
      {"LeakyRelu", Activate<Activation::kLeakyRelu>, "Unary", kMayVary},
      {"LeftShift", Shift<BinaryKind::LeftShift>, "Binary"},
      {"Less", Compare<CompareKind::Less>, "Compare", kMayVary},
      {"LessEqual", Compare<CompareKind::LessEqual>, "Compare", kMayVary},
      {"Lgamma", Unary<UnaryKind::Lgamma>, "Unary"},
      {"Log", Unary<UnaryKind::Log>, "Unary", kMayVary},
      {"Log1p", Unary<UnaryKind::Log1p>, "Unary", kMayVary},
      {"LogicalAnd", Logical<BinaryKind::LogicalAnd>, "Binary", kMayVary},
      {"LogicalNot", Unary<UnaryKind::LogicalNot>, "Unary", kMayVary},
      {"LogicalOr", Logical<BinaryKind::LogicalOr>, "Binary", kMayVary},
      {"Maximum", Binary<BinaryKind::Maximum>, "Binary", kMayVary},
      {"Minimum", Binary<BinaryKind::Minimum>, "Binary", kMayVary},
      {"Mod", Binary<BinaryKind::TruncateMod>, "Binary", kMayVary},
      {"Mul", Binary<BinaryKind::Mul>, "Binary", kMayVary},
      {"MulNoNan", MulNoNan, "Compare, Binary, Select", kMayVary},
      {"Neg", Unary<UnaryKind::Neg>, "Unary", kMayVary | kTakesComplex},
      {"NotEqual", Compare<CompareKind::NotEqual>, "Compare", kMayVary},
      {"Pow", Binary<BinaryKind::Pow>, "Binary", kMayVary},
      {"Prelu", Prelu, "Prelu", kMayVary},
      {"RealDiv", Binary<BinaryKind::Div>, "Binary", kMayVary},
      {"Reciprocal", Unary<UnaryKind::Reciprocal>, "Unary", kMayVary},
      {"Relu", Activate<Activation::kRelu>, "Clamp; integers: Binary", kMayVary},
      {"Relu6", Activate<Activation::kRelu6>, "Clamp; integers: Binary", kMayVary},
      {"RightShift", Shift<BinaryKind::RightShift>, "Binary"},
      {"Rint", Rounding<UnaryKind::Round>, "Unary", kMayVary},
      {"Round", Rounding<UnaryKind::Round>, "Unary", kMayVary},
      {"Rsqrt", Unary<UnaryKind::Rsqrt>, "Unary", kMayVary},
      {"Selu", Unary<UnaryKind::Selu>, "Unary", kMayVary},
      {"Sigmoid", Activate<Activation::kSigmoid>, "Unary", kMayVary},
      {"Sign", Unary<UnaryKind::Sign>, "Unary", kMayVary},
      {"Sin", Unary<UnaryKind::Sin>, "Unary", kMayVary},
      {"Sinh", Unary<UnaryKind::Sinh>, "Unary", kMayVary},
      {"Softplus", Unary<UnaryKind::Softplus>, "Unary", kMayVary},
      {"Softsign", Unary<UnaryKind::Softsign>, "Unary", kMayVary},
      {"Sqrt", Unary<UnaryKind::Sqrt>, "Unary", kMayVary},
      {"Square", Unary<UnaryKind::Square>, "Unary", kMayVary},
      {"SquaredDifference", Binary<BinaryKind::SquaredDifference>, "Binary", kMayVary},
      {"Sub", Binary<BinaryKind::Sub>, "Binary", kMayVary | kTakesComplex},
      {"Tan", Unary<UnaryKind::Tan>, "Unary", kMayVary},
      {"Tanh", Activate<Activation::kTanh>, "Unary", kMayVary},
      {"TruncateDiv", Binary<BinaryKind::TruncateDiv>, "Binary", kMayVary},
      {"TruncateMod", Binary<BinaryKind::TruncateMod>, "Binary", kMayVary},
      {"Xdivy", ZeroWhereXIsZero<BinaryKind::Div, UnaryKind::Invalid>, "Compare, Binary, Select",
       kMayVary},
      {"Xlog1py", ZeroWhereXIsZero<BinaryKind::Mul, UnaryKind::Log1p>,
       "Unary, Compare, Binary, Select"},
      {"Xlogy", ZeroWhereXIsZero<BinaryKind::Mul, UnaryKind::Log>, "Unary, Compare, Binary, Select",
       kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
