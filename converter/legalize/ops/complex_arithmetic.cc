// SPDX-License-Identifier: Apache-2.0
// What ops that compute become where their numbers are complex. a + bi is the left operand or the
// only one, c + di the right one.
#include <string>
#include <utility>

#include "converter/graph/tensorflow/dtypes.h"
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/complex_pairs.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "converter/legalize/ops/complex.h"
#include "runtime/ops/batch_matmul.h"

namespace linnet::converter {
namespace {

int LastDimension(const LegalizeContext& context, Output x) { return context.shape(x).rank() - 1; }

// Real to complex, or complex to real, which drops the imaginary parts.
absl::Status ComplexCast(LegalizeContext& context) {
  const bool from_pairs = IsComplex(context.node().tf_input_types()[0]);
  const bool to_pairs = IsComplex(context.node().tf_output_types()[0]);
  const Output x = context.input(0);
  if (from_pairs && to_pairs) return context.Replace(x);
  if (to_pairs) {
    const Emitted real = EmitCast(context, DType::kFloat32, x, "float");
    const Emitted column = EmitAsColumn(context, real, "real");
    return context.Replace(EmitPairs(context, column, context.AddVector<float>({0.0f}, "zero")));
  }
  LINNET_ASSIGN_OR_RETURN(const DType dtype, context.Type("DstT", DType::kFloat32));
  const bool casts = dtype != DType::kFloat32;
  const Emitted real = EmitPart(context, x, 0, casts ? "real" : "");
  return context.Replace(EmitCast(context, dtype, real));
}

// a (c, d) + b (-d, c), where c + di is constant.
Emitted EmitTimesConstant(LegalizeContext& context, Output x, Output y, std::string_view suffix) {
  const std::string name = suffix.empty() ? "" : fmt::format("{}/", suffix);
  const Emitted a = EmitColumn(context, x, 0, name + "a");
  const Emitted b = EmitColumn(context, x, 1, name + "b");
  const Emitted turned = EmitTurned(context, y, name + "turned");
  const Emitted by_a = EmitBinary(context, BinaryKind::Mul, a, y, name + "by_a");
  const Emitted by_b = EmitBinary(context, BinaryKind::Mul, b, turned, name + "by_b");
  return EmitBinary(context, BinaryKind::Add, by_a, by_b, suffix);
}

// (ac - bd, ad + bc).
Emitted EmitTimesColumns(LegalizeContext& context, Output x, Output y, std::string_view suffix) {
  const std::string name = suffix.empty() ? "" : fmt::format("{}/", suffix);
  const Emitted a = EmitColumn(context, x, 0, name + "a");
  const Emitted b = EmitColumn(context, x, 1, name + "b");
  const Emitted c = EmitColumn(context, y, 0, name + "c");
  const Emitted d = EmitColumn(context, y, 1, name + "d");
  const Emitted ac = EmitBinary(context, BinaryKind::Mul, a, c, name + "ac");
  const Emitted bd = EmitBinary(context, BinaryKind::Mul, b, d, name + "bd");
  const Emitted ad = EmitBinary(context, BinaryKind::Mul, a, d, name + "ad");
  const Emitted bc = x == y ? ad : EmitBinary(context, BinaryKind::Mul, b, c, name + "bc");
  const Emitted re = EmitBinary(context, BinaryKind::Sub, ac, bd, name + "real");
  const Emitted im = EmitBinary(context, BinaryKind::Add, ad, bc, name + "imaginary");
  return EmitPairs(context, re, im, suffix);
}

absl::Status ComplexMul(LegalizeContext& context) {
  return context.Replace(EmitComplexProduct(context, context.input(0), context.input(1)));
}

// Whether y is 0, as a column.
Emitted EmitIsZero(LegalizeContext& context, Output y, const std::string& name) {
  const Output zero = context.AddScalar(DType::kFloat32, 0, name + "/zero");
  const Emitted zeros = EmitCompare(context, CompareKind::Equal, y, zero, name + "/zeros");
  return EmitReduce(context, ReduceKind::All, {LastDimension(context, y)}, true, zeros, name);
}

// x * y, but 0 where y is 0, even if x is infinite or NaN.
absl::Status ComplexMulNoNan(LegalizeContext& context) {
  const Output y = context.input(1);
  const Emitted is_zero = EmitIsZero(context, y, "is_zero");
  const Emitted product = EmitComplexProduct(context, context.input(0), y, "Mul");
  const Output zero = context.AddScalar(DType::kFloat32, 0, "zero");
  return context.Replace(EmitSelect(context, is_zero, zero, product));
}

Emitted EmitComplexQuotient(LegalizeContext& context, Output x, Output y,
                            std::string_view suffix = "") {
  const std::string name = suffix.empty() ? "" : fmt::format("{}/", suffix);
  if (IsReal(context, y)) {
    const Emitted divisor = EmitColumn(context, y, 0, name + "divisor");
    return EmitBinary(context, BinaryKind::Div, x, divisor, suffix);
  }
  const Emitted inverse = EmitComplexInverse(context, y, name + "inverse");
  return EmitComplexProduct(context, x, inverse, suffix);
}

absl::Status ComplexDiv(LegalizeContext& context) {
  return context.Replace(EmitComplexQuotient(context, context.input(0), context.input(1)));
}

absl::Status ComplexDivNoNan(LegalizeContext& context) {
  const Emitted is_zero = EmitIsZero(context, context.input(1), "is_zero");
  const Emitted quotient =
      EmitComplexQuotient(context, context.input(0), context.input(1), "quotient");
  const Output zero = context.AddScalar(DType::kFloat32, 0, "zero");
  return context.Replace(EmitSelect(context, is_zero, zero, quotient));
}

absl::Status ComplexReciprocal(LegalizeContext& context) {
  return context.Replace(EmitComplexInverse(context, context.input(0)));
}

absl::Status ComplexSquare(LegalizeContext& context) {
  return context.Replace(EmitComplexProduct(context, context.input(0), context.input(0)));
}

// The squared distances, which are real.
absl::Status ComplexSquaredDifference(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(
      const Output distance,
      EmitBinary(context, BinaryKind::Sub, context.input(0), context.input(1), "difference"));
  const Emitted squares = EmitUnary(context, UnaryKind::Square, distance, "squares");
  const Emitted sum = EmitReduce(context, ReduceKind::Sum, {LastDimension(context, distance)}, true,
                                 squares, "sum");
  return context.Replace(EmitPairs(context, sum, context.AddVector<float>({0.0f}, "zero")));
}

// exp(a) (cos b, sin b).
Emitted EmitComplexExp(LegalizeContext& context, const Emitted& x, std::string_view suffix = "") {
  const std::string name = suffix.empty() ? "" : fmt::format("{}/", suffix);
  const Emitted a = EmitColumn(context, x, 0, name + "a");
  const Emitted b = EmitColumn(context, x, 1, name + "b");
  const Emitted length = EmitUnary(context, UnaryKind::Exp, a, name + "length");
  const Emitted cosine = EmitUnary(context, UnaryKind::Cos, b, name + "cos");
  const Emitted sine = EmitUnary(context, UnaryKind::Sin, b, name + "sin");
  const Emitted re = EmitBinary(context, BinaryKind::Mul, length, cosine, name + "real");
  const Emitted im = EmitBinary(context, BinaryKind::Mul, length, sine, name + "imaginary");
  return EmitPairs(context, re, im, suffix);
}

absl::Status ComplexExp(LegalizeContext& context) {
  return context.Replace(EmitComplexExp(context, context.input(0)));
}

// (log |x|, angle of x).
Emitted EmitComplexLog(LegalizeContext& context, const Emitted& x, std::string_view suffix = "") {
  const std::string name = suffix.empty() ? "" : fmt::format("{}/", suffix);
  const Emitted a = EmitColumn(context, x, 0, name + "a");
  const Emitted b = EmitColumn(context, x, 1, name + "b");
  const Emitted magnitude = EmitMagnitude(context, x, true, name + "magnitude");
  const Emitted re = EmitUnary(context, UnaryKind::Log, magnitude, name + "real");
  const Emitted im = EmitBinary(context, BinaryKind::Atan2, b, a, name + "imaginary");
  return EmitPairs(context, re, im, suffix);
}

absl::Status ComplexLog(LegalizeContext& context) {
  return context.Replace(EmitComplexLog(context, context.input(0)));
}

// With u = sqrt((|a| + |x|) / 2), which does not cancel: (u, b / 2u) on the right of the imaginary
// axis, (|b| / 2u, u with the sign of b) on the left.
Emitted EmitComplexSqrt(LegalizeContext& context, Output x, std::string_view suffix = "") {
  const Output zero = context.AddScalar(DType::kFloat32, 0, "zero");
  const Emitted a = EmitColumn(context, x, 0, "a");
  const Emitted b = EmitColumn(context, x, 1, "b");
  const Emitted width = EmitUnary(context, UnaryKind::Abs, a, "width");
  const Emitted magnitude = EmitMagnitude(context, x, true, "magnitude");
  Emitted u = EmitBinary(context, BinaryKind::Add, width, magnitude, "twice");
  u = EmitBinary(context, BinaryKind::Mul, u, 0.5, "half");
  u = EmitUnary(context, UnaryKind::Sqrt, u, "long_part");
  const Emitted twice_u = EmitBinary(context, BinaryKind::Add, u, u, "twice_long_part");
  const Emitted v = EmitBinary(context, BinaryKind::DivNoNan, b, twice_u, "short_part");
  const Emitted is_right = EmitCompare(context, CompareKind::GreaterEqual, a, zero, "is_right");
  const Emitted is_below = EmitCompare(context, CompareKind::Less, b, zero, "is_below");
  const Emitted positive_v = EmitUnary(context, UnaryKind::Abs, v, "positive_short_part");
  const Emitted minus_u = EmitUnary(context, UnaryKind::Neg, u, "minus_long_part");
  const Emitted signed_u = EmitSelect(context, is_below, minus_u, u, "signed_long_part");
  const Emitted re = EmitSelect(context, is_right, u, positive_v, "real");
  const Emitted im = EmitSelect(context, is_right, v, signed_u, "imaginary");
  return EmitPairs(context, re, im, suffix);
}

absl::Status ComplexSqrt(LegalizeContext& context) {
  return context.Replace(EmitComplexSqrt(context, context.input(0)));
}

absl::Status ComplexRsqrt(LegalizeContext& context) {
  const Emitted root = EmitComplexSqrt(context, context.input(0), "Sqrt");
  return context.Replace(EmitComplexInverse(context, root));
}

// exp(y log x). 0 to the power of 0 is NaN, as in TensorFlow, and to all others 0.
absl::Status ComplexPow(LegalizeContext& context) {
  const Output x = context.input(0), y = context.input(1);
  const Emitted log = EmitComplexLog(context, x, "Log");
  const Emitted exponent = EmitComplexProduct(context, y, log, "exponent");
  const Emitted power = EmitComplexExp(context, exponent, "Exp");
  const Emitted of_zero = EmitIsZero(context, x, "of_zero");
  const Emitted by_zero = EmitIsZero(context, y, "by_zero");
  const Emitted by_other = EmitUnary(context, UnaryKind::LogicalNot, by_zero, "by_other");
  const Emitted is_zero = EmitBinary(context, BinaryKind::LogicalAnd, of_zero, by_other, "is_zero");
  const Output zero = context.AddScalar(DType::kFloat32, 0, "zero");
  return context.Replace(EmitSelect(context, is_zero, zero, power));
}

// x / |x|, and 0 for 0.
absl::Status ComplexSign(LegalizeContext& context) {
  const Emitted magnitude = EmitMagnitude(context, context.input(0), true, "magnitude");
  return context.Replace(EmitBinary(context, BinaryKind::DivNoNan, context.input(0), magnitude));
}

// (kA(a) kB(b), kAlso(a) kBeside(b)), with a minus before the imaginary part where kMinus: what the
// addition theorems make of sines and cosines, as cos bi = cosh b and sin bi = i sinh b.
template <UnaryKind kA, UnaryKind kB, UnaryKind kAlso, UnaryKind kBeside, bool kMinus = false>
absl::Status ComplexCircular(LegalizeContext& context) {
  const Emitted a = EmitColumn(context, context.input(0), 0, "a");
  const Emitted b = EmitColumn(context, context.input(0), 1, "b");
  const Emitted of_a = EmitUnary(context, kA, a, "of_a");
  const Emitted of_b = EmitUnary(context, kB, b, "of_b");
  const Emitted also_a = EmitUnary(context, kAlso, a, "also_a");
  const Emitted beside_b = EmitUnary(context, kBeside, b, "beside_b");
  const Emitted re = EmitBinary(context, BinaryKind::Mul, of_a, of_b, "real");
  Emitted im = EmitBinary(context, BinaryKind::Mul, also_a, beside_b, "imaginary");
  if (kMinus) im = EmitUnary(context, UnaryKind::Neg, im, "minus");
  return context.Replace(EmitPairs(context, re, im));
}
constexpr auto ComplexSin =
    ComplexCircular<UnaryKind::Sin, UnaryKind::Cosh, UnaryKind::Cos, UnaryKind::Sinh>;
constexpr auto ComplexCos =
    ComplexCircular<UnaryKind::Cos, UnaryKind::Cosh, UnaryKind::Sin, UnaryKind::Sinh, true>;
constexpr auto ComplexSinh =
    ComplexCircular<UnaryKind::Sinh, UnaryKind::Cos, UnaryKind::Cosh, UnaryKind::Sin>;
constexpr auto ComplexCosh =
    ComplexCircular<UnaryKind::Cosh, UnaryKind::Cos, UnaryKind::Sinh, UnaryKind::Sin>;

// Numbers are equal where both parts are.
template <CompareKind kKind>
absl::Status ComplexCompare(LegalizeContext& context) {
  constexpr ReduceKind kBoth = kKind == CompareKind::Equal ? ReduceKind::All : ReduceKind::Any;
  LINNET_ASSIGN_OR_RETURN(const Output parts, EmitCompare(context, kKind, context.input(0),
                                                          context.input(1), "of_parts"));
  return context.Replace(EmitReduce(context, kBoth, {LastDimension(context, parts)}, false, parts));
}

template <int kValue>
absl::Status ComplexLike(LegalizeContext& context) {
  const Output value = context.AddVector<float>({static_cast<float>(kValue), 0.0f}, "value");
  return context.Replace(EmitBroadcastTo(context, context.extents(0), value));
}

// Matrices of pairs [..., rows, columns, 2], transposed and conjugated as wanted.
Emitted EmitComplexMatrices(LegalizeContext& context, Output x, bool transpose, bool conjugate,
                            const std::string& name) {
  const int rank = context.shape(x).rank();
  if (rank < 3)
    return Invalid("an input has shape {}, want rank >= 2",
                   ShapeText(NumbersShape(context.shape(x))));
  Emitted y = x;
  if (conjugate) y = EmitConjugate(context, y, name + "_conjugate");
  if (!transpose) return y;
  Shape perm;
  for (int i = 0; i < rank; ++i) perm.Append(i);
  std::swap(perm[rank - 3], perm[rank - 2]);
  return EmitTranspose(context, perm, y, name + "_transpose");
}

// [..., M, K] x [..., K, N] as one real product: the pairs of a row of x follow each other, 2K
// numbers; below each row k of y, which has the pairs (c, d) of 2N numbers, stand the pairs (-d,
// c).
Emitted EmitComplexMatrixProduct(LegalizeContext& context, Output x, Output y) {
  const Extents of_x = context.extents(x), of_y = context.extents(y);
  Extents rows(of_x.begin(), of_x.end() - 2), flat(of_y.begin(), of_y.end() - 2);
  Extents stacked(of_y.begin(), of_y.end() - 3);
  rows.push_back(of_x.end()[-2] * 2);
  flat.push_back(of_y.end()[-2] * 2);
  stacked.push_back(of_y.end()[-3] * 2);
  stacked.push_back(flat.back());
  const Emitted left = EmitReshape(context, rows, x, "left");
  const Emitted upper = EmitReshape(context, flat, y, "upper");
  Emitted lower = EmitTurned(context, y, "turned");
  lower = EmitReshape(context, flat, lower, "lower");
  Emitted right = EmitJoined(context, {upper, lower}, static_cast<int>(flat.size()) - 1, "joined");
  right = EmitReshape(context, stacked, right, "right");
  const bool is_matrix = stacked.size() == 2;
  LINNET_ASSIGN_OR_RETURN(const Output product,
                          is_matrix ? EmitMatMul(context, left, right, {}, "product")
                                    : context.Emit(BatchMatMulAttrs(), {left, right}, "product"));
  Extents result = context.extents(product);
  result.back() = of_y.end()[-2];
  result.push_back(2);
  return EmitReshape(context, result, product);
}

// MatMul transposes without conjugating, BatchMatMul does both.
template <bool kIsBatch>
absl::Status ComplexMatMul(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const bool turn_x,
                          context.Bool(kIsBatch ? "adj_x" : "transpose_a", false));
  LINNET_ASSIGN_OR_RETURN(const bool turn_y,
                          context.Bool(kIsBatch ? "adj_y" : "transpose_b", false));
  LINNET_ASSIGN_OR_RETURN(const Output x, EmitComplexMatrices(context, context.input(0), turn_x,
                                                              turn_x && kIsBatch, "x"));
  LINNET_ASSIGN_OR_RETURN(const Output y, EmitComplexMatrices(context, context.input(1), turn_y,
                                                              turn_y && kIsBatch, "y"));
  return context.Replace(EmitComplexMatrixProduct(context, x, y));
}

absl::Status ComplexConjugateTranspose(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(Shape perm,
                          ConstantPermutation(context, LastDimension(context, context.input(0))));
  perm.Append(perm.rank());
  const Emitted transposed = EmitTranspose(context, perm, context.input(0), "Transpose");
  return context.Replace(EmitConjugate(context, transposed));
}

constexpr char kProducts[] = "Slice, Binary, Concat";
constexpr char kByParts[] = "Slice, Unary, Binary, Concat";
constexpr char kMatrices[] = "Slice, Concat, Reshape, FullyConnected or BatchMatMul";

}  // namespace

Emitted EmitComplexProduct(LegalizeContext& context, const Emitted& x, const Emitted& y,
                           std::string_view suffix) {
  if (!x.ok() || !y.ok()) return x.ok() ? y : x;
  const std::string factor = suffix.empty() ? "factor" : fmt::format("{}/factor", suffix);
  if (IsReal(context, *y))
    return EmitBinary(context, BinaryKind::Mul, x, EmitColumn(context, y, 0, factor), suffix);
  if (IsReal(context, *x))
    return EmitBinary(context, BinaryKind::Mul, y, EmitColumn(context, x, 0, factor), suffix);
  if (LegalizeContext::FindConstant(*y) != nullptr)
    return EmitTimesConstant(context, *x, *y, suffix);
  if (LegalizeContext::FindConstant(*x) != nullptr)
    return EmitTimesConstant(context, *y, *x, suffix);
  return EmitTimesColumns(context, *x, *y, suffix);
}

// The conjugate of y / s, divided by s and by the squared length of y / s. The larger part of y is
// s, so that no square overflows.
Emitted EmitComplexInverse(LegalizeContext& context, const Emitted& y, std::string_view suffix) {
  if (!y.ok()) return y;
  const std::string name = suffix.empty() ? "" : fmt::format("{}/", suffix);
  const int last = LastDimension(context, *y);
  const Emitted sizes = EmitUnary(context, UnaryKind::Abs, y, name + "sizes");
  const Emitted scale = EmitReduce(context, ReduceKind::Max, {last}, true, sizes, name + "scale");
  const Emitted scaled = EmitBinary(context, BinaryKind::Div, y, scale, name + "scaled");
  const Emitted squares = EmitUnary(context, UnaryKind::Square, scaled, name + "squares");
  Emitted length = EmitReduce(context, ReduceKind::Sum, {last}, true, squares, name + "length");
  length = EmitBinary(context, BinaryKind::Mul, length, scale, name + "scaled_length");
  const Emitted conjugate = EmitConjugate(context, scaled, name + "conjugate");
  return EmitBinary(context, BinaryKind::Div, conjugate, length, suffix);
}

std::span<const TfOp> ComplexForms() {
  static constexpr TfOp kRows[] = {
      {"BatchMatMul", ComplexMatMul<true>, kMatrices, kMayVary},
      {"BatchMatMulV2", ComplexMatMul<true>, kMatrices, kMayVary},
      {"BatchMatMulV3", ComplexMatMul<true>, kMatrices, kMayVary},
      {"Cast", ComplexCast, "Cast, Reshape, Pad; or Slice, Reshape, Cast", kMayVary},
      {"ConjugateTranspose", ComplexConjugateTranspose, "Transpose, Binary", kMayVary},
      {"Cos", ComplexCos, kByParts, kMayVary},
      {"Cosh", ComplexCosh, kByParts, kMayVary},
      {"Div", ComplexDiv, "Unary, Reduce, Binary", kMayVary},
      {"DivNoNan", ComplexDivNoNan, "Unary, Reduce, Binary, Select", kMayVary},
      {"Equal", ComplexCompare<CompareKind::Equal>, "Compare, Reduce", kMayVary},
      {"Exp", ComplexExp, kByParts, kMayVary},
      {"Inv", ComplexReciprocal, "Unary, Reduce, Binary", kMayVary},
      {"Log", ComplexLog, kByParts, kMayVary},
      {"MatMul", ComplexMatMul<false>, kMatrices, kMayVary},
      {"Mul", ComplexMul, kProducts, kMayVary},
      {"MulNoNan", ComplexMulNoNan, "Slice, Binary, Concat, Select", kMayVary},
      {"NotEqual", ComplexCompare<CompareKind::NotEqual>, "Compare, Reduce", kMayVary},
      {"OnesLike", ComplexLike<1>, "a constant or BroadcastTo", kMayVary},
      {"Pow", ComplexPow, "Slice, Unary, Binary, Concat, Select", kMayVary},
      {"RealDiv", ComplexDiv, "Unary, Reduce, Binary", kMayVary},
      {"Reciprocal", ComplexReciprocal, "Unary, Reduce, Binary", kMayVary},
      {"Rsqrt", ComplexRsqrt, "Slice, Unary, Reduce, Binary, Select, Concat", kMayVary},
      {"Sign", ComplexSign, "Unary, Reduce, Binary", kMayVary},
      {"Sin", ComplexSin, kByParts, kMayVary},
      {"Sinh", ComplexSinh, kByParts, kMayVary},
      {"Sqrt", ComplexSqrt, "Slice, Unary, Reduce, Binary, Select, Concat", kMayVary},
      {"Square", ComplexSquare, kProducts, kMayVary},
      {"SquaredDifference", ComplexSquaredDifference, "Binary, Unary, Reduce, Pad", kMayVary},
      {"ZerosLike", ComplexLike<0>, "a constant or BroadcastTo", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
