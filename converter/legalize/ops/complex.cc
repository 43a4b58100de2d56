// SPDX-License-Identifier: Apache-2.0
// Making complex tensors and taking them apart, and what complex.h declares.
#include "converter/legalize/ops/complex.h"

#include <optional>
#include <string>
#include <utility>

#include "converter/legalize/context/complex_pairs.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "runtime/ops/broadcast_to.h"
#include "runtime/ops/concat.h"
#include "runtime/ops/pad.h"

namespace linnet::converter {
namespace {

// Looking for zeros in a larger constant takes longer than the products that it would save.
constexpr int64_t kMostSearched = 1 << 20;

// Are all elements 0, of every second one from `first` on?
bool IsZeroFrom(const Constant& constant, int64_t first, int64_t step) {
  if (constant.type.shape.num_elements() > kMostSearched) return false;
  const Constant plain = constant.Plain();
  const std::span<const float> values = plain.as<float>();
  for (auto i = static_cast<size_t>(first); i < values.size(); i += static_cast<size_t>(step))
    if (values[i] != 0) return false;
  return true;
}

bool IsZeroColumn(Output column) {
  const Constant* constant = LegalizeContext::FindConstant(column);
  return constant != nullptr && IsZeroFrom(*constant, 0, 1);
}

// The column of `part` where the pairs were made of columns.
std::optional<Output> MadeOf(const LegalizeContext& context, Output pairs, int part) {
  const Node& node = *pairs.node;
  const int last = context.shape(pairs).rank() - 1;
  const auto is_column = [&](Output x) { return context.shape(x)[last] == 1; };
  if (node.Is<ConcatAttrs>() && node.attrs<ConcatAttrs>().axis == last && node.num_inputs() == 2 &&
      is_column(node.input(0)))
    return node.input(part);
  if (node.Is<PadAttrs>() && is_column(node.input(0)) &&
      node.attrs<PadAttrs>().before[last] == part)
    return node.input(0);
  return std::nullopt;
}

// Did a Pad add the column as zeros?
bool IsPadding(const LegalizeContext& context, Output pairs, int part) {
  return pairs.node->Is<PadAttrs>() && MadeOf(context, pairs, 1 - part).has_value();
}

Emitted EmitCut(LegalizeContext& context, Output pairs, int part, std::string_view suffix) {
  if (const std::optional<Output> made_of = MadeOf(context, pairs, part)) return *made_of;
  return EmitSliceAlong(context, context.shape(pairs).rank() - 1, part, 1, pairs, suffix);
}

// The extents that two broadcast to.
absl::StatusOr<Extents> BroadcastExtents(const LegalizeContext& context, Extents a, Extents b) {
  if (a.size() < b.size()) a.swap(b);
  const size_t added = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i) {
    Extent& extent = a[added + i];
    if (extent == Extent(1))
      extent = b[i];
    else if (b[i] != Extent(1) && !context.symbols().Equal(extent, b[i]))
      return Invalid("parts of shapes {} and {} do not broadcast", context.symbols().Text(a),
                     context.symbols().Text(b));
  }
  return a;
}

// A column as the one of `part`, beside zeros.
Emitted EmitBesideZeros(LegalizeContext& context, const Emitted& column, int part,
                        std::string_view suffix) {
  if (!column.ok()) return column;
  Shape before = Filled(context.shape(*column).rank(), 0), after = before;
  (part == 0 ? after : before)[before.rank() - 1] = 1;
  return EmitPad(context, before, after, column, suffix);
}

template <int kPart>
absl::Status Part(LegalizeContext& context) {
  return context.Replace(EmitPart(context, context.input(0), kPart, ""));
}

absl::Status ComplexAbs(LegalizeContext& context) {
  return context.Replace(EmitMagnitude(context, context.input(0), false));
}

absl::Status Angle(LegalizeContext& context) {
  const Emitted re = EmitPart(context, context.input(0), 0, "real");
  const Emitted im = EmitPart(context, context.input(0), 1, "imaginary");
  return context.Replace(EmitBinary(context, BinaryKind::Atan2, im, re));
}

absl::Status Complex(LegalizeContext& context) {
  const Emitted re = EmitAsColumn(context, context.input(0), "real");
  const Emitted im = EmitAsColumn(context, context.input(1), "imaginary");
  return context.Replace(EmitPairs(context, re, im));
}

absl::Status Conj(LegalizeContext& context) {
  return context.Replace(EmitConjugate(context, context.input(0)));
}

}  // namespace

bool IsReal(const LegalizeContext& context, Output pairs) {
  const Constant* constant = LegalizeContext::FindConstant(pairs);
  return constant != nullptr ? IsZeroFrom(*constant, 1, 2) : IsPadding(context, pairs, 1);
}

Emitted EmitColumn(LegalizeContext& context, const Emitted& pairs, int part,
                   std::string_view suffix) {
  if (!pairs.ok()) return pairs;
  if (IsPadding(context, *pairs, part)) return context.AddVector<float>({0.0f}, suffix);
  return EmitCut(context, *pairs, part, suffix);
}

Emitted EmitPart(LegalizeContext& context, Output pairs, int part, std::string_view suffix) {
  Extents extents = context.extents(pairs);
  extents.pop_back();
  const std::string name = suffix.empty() ? "column" : fmt::format("{}/column", suffix);
  const Emitted column = EmitCut(context, pairs, part, name);
  return EmitReshape(context, extents, column, suffix);
}

Emitted EmitAsColumn(LegalizeContext& context, const Emitted& x, std::string_view suffix) {
  if (!x.ok()) return x;
  Extents extents = context.extents(*x);
  extents.push_back(1);
  return EmitReshape(context, extents, x, suffix);
}

Emitted EmitPairs(LegalizeContext& context, const Emitted& real, const Emitted& imaginary,
                  std::string_view suffix) {
  if (!real.ok() || !imaginary.ok()) return real.ok() ? imaginary : real;
  LINNET_ASSIGN_OR_RETURN(const Extents extents, BroadcastExtents(context, context.extents(*real),
                                                                  context.extents(*imaginary)));
  const int zeros = IsZeroColumn(*imaginary) ? 1 : IsZeroColumn(*real) ? 0 : -1;
  if (zeros >= 0) {
    const Emitted column =
        EmitBroadcastTo(context, extents, zeros == 1 ? real : imaginary, "column");
    return EmitBesideZeros(context, column, 1 - zeros, suffix);
  }
  const Emitted re = EmitBroadcastTo(context, extents, real, "all_real");
  const Emitted im = EmitBroadcastTo(context, extents, imaginary, "all_imaginary");
  return EmitJoined(context, {re, im}, static_cast<int>(extents.size()) - 1, suffix);
}

Emitted EmitConjugate(LegalizeContext& context, const Emitted& x, std::string_view suffix) {
  const Output signs = context.AddVector<float>({1.0f, -1.0f}, "signs");
  return EmitBinary(context, BinaryKind::Mul, x, signs, suffix);
}

Emitted EmitTurned(LegalizeContext& context, const Emitted& x, std::string_view suffix) {
  const std::string name(suffix);
  const Emitted re = EmitColumn(context, x, 0, name + "/real");
  const Emitted im = EmitColumn(context, x, 1, name + "/imaginary");
  const Emitted minus_im = EmitUnary(context, UnaryKind::Neg, im, name + "/minus");
  return EmitPairs(context, minus_im, re, suffix);
}

Emitted EmitMagnitude(LegalizeContext& context, const Emitted& x, bool as_column,
                      std::string_view suffix) {
  if (!x.ok()) return x;
  const std::string name = suffix.empty() ? "" : fmt::format("{}/", suffix);
  const int last = context.shape(*x).rank() - 1;
  const Emitted squares = EmitUnary(context, UnaryKind::Square, x, name + "squares");
  const Emitted sum =
      EmitReduce(context, ReduceKind::Sum, {last}, as_column, squares, name + "sum");
  return EmitUnary(context, UnaryKind::Sqrt, sum, suffix);
}

std::span<const TfOp> ComplexOps() {
  static constexpr char kParts[] = "Slice, Reshape";
  static constexpr TfOp kRows[] = {
      {"Angle", Angle, "Slice, Reshape, Binary", kMayVary},
      {"Complex", Complex, "Reshape, Concat; or Pad", kMayVary},
      {"ComplexAbs", ComplexAbs, "Unary, Reduce", kMayVary},
      {"Conj", Conj, "Binary", kMayVary},
      {"Imag", Part<1>, kParts, kMayVary},
      {"Real", Part<0>, kParts, kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
