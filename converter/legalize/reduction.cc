// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "converter/legalize/building_blocks.h"
#include "converter/legalize/tf_op_table.h"
#include "runtime/ops/arg_reduce.h"
#include "runtime/ops/batch_matmul.h"

namespace linnet::converter {
namespace {

// Input 1 as increasing axes of input 0.
absl::StatusOr<Shape> ReductionAxes(const LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(std::vector<int64_t> axes, context.ConstantInts(1, "reduction_indices"));
  for (int64_t& axis : axes) {
    LINNET_ASSIGN_OR_RETURN(
        axis, LegalizeContext::Axis(axis, context.shape(0).rank(), "reduction_indices"));
  }
  std::sort(axes.begin(), axes.end());
  if (std::adjacent_find(axes.begin(), axes.end()) != axes.end())
    return Invalid("'reduction_indices' [{}] repeat an axis", fmt::join(axes, ","));
  return CheckedShape(axes);
}

template <ReduceKind kKind>
absl::Status Reduce(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(2, 2));
  LINNET_ASSIGN_OR_RETURN(const Shape axes, ReductionAxes(context));
  LINNET_ASSIGN_OR_RETURN(const bool keep_dims, context.Bool("keep_dims", false));
  if (axes.rank() == 0) return context.Replace(context.input(0));
  return context.Replace(EmitReduce(context, kKind, axes, keep_dims, context.input(0)));
}

absl::Status EuclideanNorm(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(2, 2));
  LINNET_ASSIGN_OR_RETURN(const Shape axes, ReductionAxes(context));
  LINNET_ASSIGN_OR_RETURN(const bool keep_dims, context.Bool("keep_dims", false));
  LINNET_ASSIGN_OR_RETURN(const Output squares,
                          EmitUnary(context, UnaryKind::Square, context.input(0), "Square"));
  LINNET_ASSIGN_OR_RETURN(const Output sum,
                          EmitReduce(context, ReduceKind::Sum, axes, keep_dims, squares, "Sum"));
  return context.Replace(EmitUnary(context, UnaryKind::Sqrt, sum));
}

// Sum of squares, halved.
absl::Status L2Loss(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(1, 1));
  LINNET_ASSIGN_OR_RETURN(const Output squares,
                          EmitUnary(context, UnaryKind::Square, context.input(0), "Square"));
  Shape axes;
  for (int i = 0; i < context.shape(0).rank(); ++i) axes.Append(i);
  LINNET_ASSIGN_OR_RETURN(const Output sum,
                          EmitReduce(context, ReduceKind::Sum, axes, false, squares, "Sum"));
  return context.Replace(EmitBinary(context, BinaryKind::Mul, sum, 0.5));
}

template <bool kMin>
absl::Status ArgReduce(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(2, 2));
  ArgReduceAttrs attrs;
  attrs.min = kMin;
  LINNET_ASSIGN_OR_RETURN(attrs.axis,
                          context.ConstantAxis(1, context.shape(0).rank(), "dimension"));
  LINNET_ASSIGN_OR_RETURN(attrs.dtype, context.Type("output_type", DType::kInt64));
  if (attrs.dtype == DType::kInt32 || attrs.dtype == DType::kInt64)
    return context.Replace(context.Emit(attrs, {context.input(0)}));
  // uint16 and int16 exist too.
  const DType wanted = attrs.dtype;
  attrs.dtype = DType::kInt32;
  LINNET_ASSIGN_OR_RETURN(const Output index, context.Emit(attrs, {context.input(0)}, "index"));
  return context.Replace(EmitCast(context, wanted, index));
}

// A running sum is a product with a triangle of ones: [.., n] x [n, n].
Constant Triangle(int64_t n, bool exclusive, bool reverse) {
  std::vector<float> values(n * n, 0.0f);
  for (int64_t from = 0; from < n; ++from) {
    for (int64_t to = 0; to < n; ++to) {
      const int64_t distance = reverse ? from - to : to - from;
      if (distance > 0 || (distance == 0 && !exclusive)) values[from * n + to] = 1.0f;
    }
  }
  return Constant::Of<float>({n, n}, std::move(values));
}

absl::Status Cumsum(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(2, 2));
  const Shape& shape = context.shape(0);
  const int rank = shape.rank();
  LINNET_ASSIGN_OR_RETURN(const int axis, context.ConstantAxis(1, rank, "axis"));
  LINNET_ASSIGN_OR_RETURN(const bool exclusive, context.Bool("exclusive", false));
  LINNET_ASSIGN_OR_RETURN(const bool reverse, context.Bool("reverse", false));
  constexpr int64_t kLongest = 1024;  // the triangle costs n^2
  const DType dtype = context.type(0).dtype;
  if (shape[axis] > kLongest || (dtype != DType::kFloat32 && dtype != DType::kInt32))
    return Unsupported("a running sum of {} {} elements, want at most {} of float32 or int32",
                       shape[axis], DTypeName(dtype), kLongest);
  const Output ones = context.AddConstant(Triangle(shape[axis], exclusive, reverse), "triangle");
  LINNET_ASSIGN_OR_RETURN(const Output triangle, EmitCast(context, dtype, ones, "triangle/cast"));
  Shape perm;  // its own inverse: the axis changes places with the last dimension
  for (int i = 0; i < rank; ++i) perm.Append(i);
  std::swap(perm[axis], perm[rank - 1]);
  LINNET_ASSIGN_OR_RETURN(const Output x, EmitTranspose(context, perm, context.input(0), "rows"));
  const Shape rows_shape = context.shape(x);
  const Shape matrix = {rows_shape.Product(0, rank - 1), shape[axis]};
  LINNET_ASSIGN_OR_RETURN(const Output rows, EmitReshape(context, matrix, x, "matrix"));
  LINNET_ASSIGN_OR_RETURN(Output sums, context.Emit(BatchMatMulAttrs(), {rows, triangle}, "sums"));
  LINNET_ASSIGN_OR_RETURN(sums, EmitReshape(context, rows_shape, sums, "sums/reshaped"));
  return context.Replace(EmitTranspose(context, perm, sums));
}

constexpr TfOp kRows[] = {
    {"All", Reduce<ReduceKind::All>, "Reduce"},
    {"Any", Reduce<ReduceKind::Any>, "Reduce"},
    {"ArgMax", ArgReduce<false>, "ArgReduce"},
    {"ArgMin", ArgReduce<true>, "ArgReduce"},
    {"Cumsum", Cumsum, "BatchMatMul with a triangle; up to 1024 elements"},
    {"EuclideanNorm", EuclideanNorm, "Unary, Reduce"},
    {"L2Loss", L2Loss, "Unary, Reduce, Binary"},
    {"Max", Reduce<ReduceKind::Max>, "Reduce"},
    {"Mean", Reduce<ReduceKind::Mean>, "Reduce"},
    {"Min", Reduce<ReduceKind::Min>, "Reduce"},
    {"Prod", Reduce<ReduceKind::Prod>, "Reduce"},
    {"Sum", Reduce<ReduceKind::Sum>, "Reduce"},
};

}  // namespace

std::span<const TfOp> ReductionOps() { return kRows; }

}  // namespace linnet::converter
