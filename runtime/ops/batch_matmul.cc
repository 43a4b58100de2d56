// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/batch_matmul.h"

namespace linnet {

Status Decode(const schema::BatchMatMulAttrs& table, BatchMatMulAttrs* attrs) {
  attrs->transpose_a = table.transpose_a();
  attrs->transpose_b = table.transpose_b();
  return {};
}

flatbuffers::Offset<schema::BatchMatMulAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                     const BatchMatMulAttrs& attrs) {
  return schema::CreateBatchMatMulAttrs(fbb, attrs.transpose_a, attrs.transpose_b);
}

namespace {

// Rows and columns of a matrix, transposed if the attributes say so.
struct MatrixDims {
  int64_t rows, cols;
};
MatrixDims MatrixOf(const Shape& shape, bool transpose) {
  const int64_t outer = shape[shape.rank() - 2], inner = shape.back();
  return transpose ? MatrixDims{inner, outer} : MatrixDims{outer, inner};
}

// Dimension `axis` of a shape that is extended to `rank` with leading ones.
int64_t PaddedDim(const Shape& shape, int rank, int axis) {
  const int own = axis - (rank - shape.rank());
  return own < 0 ? 1 : shape[own];
}

Status InferBatchMatMul(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<BatchMatMulAttrs>();
  const TensorType &a = op.input(0), &b = op.input(1);
  if (a.dtype != b.dtype || (a.dtype != DType::kFloat32 && a.dtype != DType::kInt32))
    return {StatusCode::kInvalidPlan, "BatchMatMul: want f32 or i32, the same for both"};
  if (a.shape.rank() < 2 || b.shape.rank() < 2)
    return {StatusCode::kInvalidPlan, "BatchMatMul: want rank >= 2"};
  const MatrixDims left = MatrixOf(a.shape, attrs.transpose_a);
  const MatrixDims right = MatrixOf(b.shape, attrs.transpose_b);
  if (left.cols != right.rows)
    return {StatusCode::kInvalidPlan, "BatchMatMul: columns of a must be rows of b"};
  const int rank = std::max(a.shape.rank(), b.shape.rank());
  Shape out;
  for (int i = 0; i < rank - 2; ++i) {
    const int64_t m = PaddedDim(a.shape, rank, i), n = PaddedDim(b.shape, rank, i);
    if (m != n && m != 1 && n != 1)
      return {StatusCode::kInvalidPlan, "BatchMatMul: leading dimensions must broadcast"};
    out.Append(m == 1 ? n : m);
  }
  out.Append(left.rows);
  out.Append(right.cols);
  outputs[0] = {a.dtype, out};
  return {};
}

Cost BatchMatMulCost(const OpInstance& op) {
  const int64_t depth = MatrixOf(op.input(0).shape, op.as<BatchMatMulAttrs>().transpose_a).cols;
  return MacCost(op.output(0).shape.num_elements(), depth, /*bias=*/false);
}

}  // namespace

const OpDef kBatchMatMulOp = MakeOpDef<BatchMatMulAttrs>({.name = "BatchMatMul",
                                                          .min_inputs = 2,
                                                          .max_inputs = 2,
                                                          .num_outputs = 1,
                                                          .traits = kNoTraits,
                                                          .infer = InferBatchMatMul,
                                                          .cost = BatchMatMulCost});

}  // namespace linnet
