// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "runtime/ops/arg_reduce.h"
#include "runtime/ops/cumulative.h"

namespace linnet::converter {
namespace {

using schema::CumulativeKind;

// Models of earlier versions may have axes [[1], [2]] for [1, 2].
constexpr int kFirstWithFlatAxes = 21;

// Input 1 as axes of input 0 in increasing order.
absl::StatusOr<Shape> ReductionAxes(const LegalizeContext& context) {
  if (context.shape(1).rank() > 1 && context.producer() >= kFirstWithFlatAxes)
    return Invalid("'reduction_indices' must be a number or a list, but has shape {}",
                   ShapeText(context.shape(1)));
  LINNET_ASSIGN_OR_RETURN(std::vector<int64_t> axes, context.ConstantInts(1, "reduction_indices"));
  for (int64_t& axis : axes) {
    LINNET_ASSIGN_OR_RETURN(axis, context.Axis(axis, context.shape(0).rank(), "reduction_indices"));
  }
  std::ranges::sort(axes);
  if (std::ranges::adjacent_find(axes) != axes.end())
    return Invalid("'reduction_indices' [{}] repeat an axis", fmt::join(axes, ","));
  return CheckedShape(axes);
}

// Does a reduction of narrow integers compute in i32? The low bits of a sum or product are right
// there, so that it overflows as TensorFlow's does; those of a mean would not be.
bool ReducesWide(ReduceKind kind, DType dtype) {
  const bool is_byte = dtype == DType::kUint8 || dtype == DType::kInt8;
  const bool compares = kind == ReduceKind::Max || kind == ReduceKind::Min;
  return IsNarrowInteger(dtype) && kind != ReduceKind::Mean && !(is_byte && compares);
}

template <ReduceKind kKind>
absl::Status Reduce(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Shape axes, ReductionAxes(context));
  LINNET_ASSIGN_OR_RETURN(const bool keep_dims, context.Bool("keep_dims", false));
  if (axes.rank() == 0) return context.Replace(context.input(0));
  const DType dtype = context.type(0).dtype;
  const bool wide = ReducesWide(kKind, dtype);
  const Emitted x = EmitCast(context, wide ? DType::kInt32 : dtype, context.input(0), "wide");
  const Emitted y = EmitReduce(context, kKind, axes, keep_dims, x, wide ? "Reduce" : "");
  return context.Replace(EmitCast(context, dtype, y));
}

absl::Status EuclideanNorm(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Shape axes, ReductionAxes(context));
  LINNET_ASSIGN_OR_RETURN(const bool keep_dims, context.Bool("keep_dims", false));
  const Emitted squares = EmitUnary(context, UnaryKind::Square, context.input(0), "Square");
  const Emitted sum = EmitReduce(context, ReduceKind::Sum, axes, keep_dims, squares, "Sum");
  return context.Replace(EmitUnary(context, UnaryKind::Sqrt, sum));
}

// Sum of squares, halved.
absl::Status L2Loss(LegalizeContext& context) {
  const Emitted squares = EmitUnary(context, UnaryKind::Square, context.input(0), "Square");
  Shape axes;
  for (int i = 0; i < context.shape(0).rank(); ++i) axes.Append(i);
  const Emitted sum = EmitReduce(context, ReduceKind::Sum, axes, false, squares, "Sum");
  return context.Replace(EmitBinary(context, BinaryKind::Mul, sum, 0.5));
}

template <bool kMin>
absl::Status ArgReduce(LegalizeContext& context) {
  ArgReduceAttrs attrs{.min = kMin};
  LINNET_ASSIGN_OR_RETURN(attrs.axis,
                          context.ConstantAxis(1, context.shape(0).rank(), "dimension"));
  LINNET_ASSIGN_OR_RETURN(const DType wanted, context.Type("output_type", DType::kInt64));
  // TensorFlow also has uint16 and int16.
  const bool direct = wanted == DType::kInt32 || wanted == DType::kInt64;
  attrs.dtype = direct ? wanted : DType::kInt32;
  const Emitted index = context.Emit(attrs, {context.input(0)}, direct ? "" : "index");
  return context.Replace(EmitCast(context, wanted, index));
}

// Narrow integers are added up in i32.
template <CumulativeKind kKind>
absl::Status Cumulative(LegalizeContext& context) {
  CumulativeAttrs attrs{.kind = kKind};
  LINNET_ASSIGN_OR_RETURN(attrs.axis, context.ConstantAxis(1, context.shape(0).rank(), "axis"));
  LINNET_ASSIGN_OR_RETURN(attrs.exclusive, context.Bool("exclusive", false));
  LINNET_ASSIGN_OR_RETURN(attrs.reverse, context.Bool("reverse", false));
  const DType dtype = context.type(0).dtype;
  const bool wide = IsNarrowInteger(dtype);
  const Emitted x = EmitCast(context, wide ? DType::kInt32 : dtype, context.input(0), "wide");
  const Emitted sums = context.Emit(attrs, {x}, wide ? "Cumulative" : "");
  return context.Replace(EmitCast(context, dtype, sums));
}

}  // namespace

std::span<const TfOp> ReductionOps() {
  static constexpr TfOp kRows[] = {
      {"All", Reduce<ReduceKind::All>, "Reduce", kMayVary},
      {"Any", Reduce<ReduceKind::Any>, "Reduce", kMayVary},
      {"ArgMax", ArgReduce<false>, "ArgReduce", kMayVary},
      {"ArgMin", ArgReduce<true>, "ArgReduce", kMayVary},
      {"Cumprod", Cumulative<CumulativeKind::Product>, "Cumulative; axis known", kMayVary},
      {"Cumsum", Cumulative<CumulativeKind::Sum>, "Cumulative; axis known",
       kMayVary | kTakesComplex},
      {"CumulativeLogsumexp", Cumulative<CumulativeKind::LogSumExp>, "Cumulative; axis known"},
      {"EuclideanNorm", EuclideanNorm, "Unary, Reduce"},
      {"L2Loss", L2Loss, "Unary, Reduce, Binary"},
      {"Max", Reduce<ReduceKind::Max>, "Reduce", kMayVary},
      {"Mean", Reduce<ReduceKind::Mean>, "Reduce", kMayVary | kTakesComplex},
      {"Min", Reduce<ReduceKind::Min>, "Reduce", kMayVary},
      {"Prod", Reduce<ReduceKind::Prod>, "Reduce", kMayVary},
      {"Sum", Reduce<ReduceKind::Sum>, "Reduce", kMayVary | kTakesComplex},
  };
  return kRows;
}

}  // namespace linnet::converter
