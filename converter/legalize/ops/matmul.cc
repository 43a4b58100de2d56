// SPDX-License-Identifier: Apache-2.0
// Matrix products. With a constant matrix on the right they become a FullyConnected, whose filter
// backends pack; else a BatchMatMul.
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/ops/activations.h"
#include "runtime/ops/batch_matmul.h"
#include "runtime/ops/fully_connected.h"

namespace linnet::converter {
namespace {

// Product of a and the constant matrix b, [K, N] or, when transposed, [N, K].
Emitted EmitFullyConnected(LegalizeContext& context, const Emitted& a, const Emitted& b,
                           bool transpose_b, const FusedTail& tail, std::string_view suffix) {
  const Emitted filter = transpose_b ? b : EmitTranspose(context, {1, 0}, b, "filter_oi");
  std::vector<Emitted> inputs = {a, filter};
  if (tail.bias) inputs.push_back(*tail.bias);
  return context.Emit(FullyConnectedAttrs{.range = tail.range()}, inputs, suffix);
}

// The product of the inputs where the right one is not constant: bias and range are ops of their
// own.
Emitted EmitBatchMatMul(LegalizeContext& context, const BatchMatMulAttrs& attrs,
                        const FusedTail& tail, std::string_view suffix) {
  const bool clamps = !tail.range().unbounded();
  const bool more = tail.bias || clamps;
  Emitted y = context.Emit(attrs, {context.input(0), context.input(1)}, more ? "Product" : suffix);
  if (tail.bias)
    y = EmitBinary(context, BinaryKind::Add, y, *tail.bias, clamps ? "BiasAdd" : suffix);
  return clamps ? EmitClamp(context, tail.range(), y, suffix) : y;
}

absl::Status MatMul(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(2, 8));
  for (const int i : {0, 1}) LINNET_RETURN_IF_ERROR(context.WantRank(i, 2));
  LINNET_ASSIGN_OR_RETURN(const FusedTail tail, GetFusedTail(context));
  BatchMatMulAttrs attrs;
  LINNET_ASSIGN_OR_RETURN(attrs.transpose_a, context.Bool("transpose_a", false));
  LINNET_ASSIGN_OR_RETURN(attrs.transpose_b, context.Bool("transpose_b", false));
  const bool is_layer =
      context.FindConstant(1) != nullptr && context.type(0).dtype == DType::kFloat32;
  const std::string suffix = tail.HasMore() ? "MatMul" : "";
  Emitted a = context.input(0);
  if (is_layer && attrs.transpose_a) a = EmitTranspose(context, {1, 0}, a, "transpose_a");
  const Emitted y =
      is_layer ? EmitFullyConnected(context, a, context.input(1), attrs.transpose_b, tail, suffix)
               : EmitBatchMatMul(context, attrs, tail, suffix);
  return context.Replace(EmitFusedTail(context, tail, y, ""));
}

absl::Status BatchMatMul(LegalizeContext& context) {
  BatchMatMulAttrs attrs;
  LINNET_ASSIGN_OR_RETURN(attrs.transpose_a, context.Bool("adj_x", false));
  LINNET_ASSIGN_OR_RETURN(attrs.transpose_b, context.Bool("adj_y", false));
  const Shape& a = context.shape(0);
  const Shape& b = context.shape(1);
  if (a.rank() < 2 || b.rank() < 2)
    return Invalid("inputs have shapes {} and {}, want rank >= 2", ShapeText(a), ShapeText(b));
  // One constant matrix for the whole batch makes a layer.
  const int rank = b.rank();
  const bool is_layer = context.FindConstant(1) != nullptr && !attrs.transpose_a &&
                        context.type(0).dtype == DType::kFloat32 && a.rank() >= rank &&
                        b.Product(0, rank - 2) == 1;
  if (is_layer) {
    const Emitted matrix =
        EmitReshape(context, {b[rank - 2], b[rank - 1]}, context.input(1), "matrix");
    return context.Replace(
        EmitFullyConnected(context, context.input(0), matrix, attrs.transpose_b, FusedTail(), ""));
  }
  Emitted x = context.input(0), y = context.input(1);
  LINNET_ASSIGN_OR_RETURN(const DType wanted, context.Type("Tout", context.type(0).dtype));
  if (wanted == DType::kInt32) {  // V3 may multiply bytes to int32
    x = EmitCast(context, wanted, x, "wide_x");
    y = EmitCast(context, wanted, y, "wide_y");
  }
  return context.Replace(context.Emit(attrs, {x, y}));
}

}  // namespace

std::span<const TfOp> MatMulOps() {
  static constexpr TfOp kRows[] = {
      {"BatchMatMul", BatchMatMul, "FullyConnected, or BatchMatMul", kMayVary},
      {"BatchMatMulV2", BatchMatMul, "FullyConnected, or BatchMatMul", kMayVary},
      {"BatchMatMulV3", BatchMatMul, "FullyConnected, or BatchMatMul", kMayVary},
      {"MatMul", MatMul, "FullyConnected where b is constant, else BatchMatMul", kMayVary},
      {"_FusedMatMul", MatMul, "FullyConnected or BatchMatMul and what is fused", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
