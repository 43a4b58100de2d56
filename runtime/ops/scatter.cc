// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/scatter.h"

namespace linnet {

Status Decode(const schema::ScatterAttrs& table, ScatterAttrs* attrs) {
  if (table.kind() == schema::ScatterKind::Invalid || table.kind() > schema::ScatterKind::MAX)
    return {StatusCode::kInvalidPlan, "Scatter: unknown kind"};
  attrs->kind = table.kind();
  attrs->skip_negative = table.skip_negative();
  return {};
}

flatbuffers::Offset<schema::ScatterAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const ScatterAttrs& attrs) {
  return schema::CreateScatterAttrs(fbb, attrs.kind, attrs.skip_negative);
}

namespace {

using schema::ScatterKind;

Status InferScatter(const OpInstance& op, TensorType* outputs) {
  const TensorType &base = op.input(0), &updates = op.input(2);
  const Shape& indices = op.input(1).shape;
  const DType index_dtype = op.input(1).dtype;
  if (index_dtype != DType::kInt32 && index_dtype != DType::kInt64)
    return {StatusCode::kInvalidPlan, "Scatter: indices must be i32 or i64"};
  const bool has_arithmetic =
      base.dtype == DType::kFloat32 || base.dtype == DType::kInt32 || base.dtype == DType::kInt64;
  if (updates.dtype != base.dtype ||
      (op.as<ScatterAttrs>().kind != ScatterKind::Update && !has_arithmetic))
    return {StatusCode::kInvalidPlan, "Scatter: want one dtype, f32, i32 or i64 except for Update"};
  if (indices.rank() < 1 || indices.back() > base.shape.rank())
    return {StatusCode::kInvalidPlan, "Scatter: indices name more dimensions than there are"};
  const int depth = static_cast<int>(indices.back());
  const int rows = indices.rank() - 1, rank = rows + base.shape.rank() - depth;
  if (updates.shape.rank() != rank)
    return {StatusCode::kInvalidPlan, "Scatter: the rank of updates does not fit"};
  for (int i = 0; i < rank; ++i) {
    if (updates.shape[i] != (i < rows ? indices[i] : base.shape[i - rows + depth]))
      return {StatusCode::kInvalidPlan, "Scatter: the shape of updates does not fit"};
  }
  outputs[0] = base;
  return {};
}

Cost CostScatter(const OpInstance& op) { return {.flops = op.input(2).shape.num_elements()}; }

}  // namespace

const OpDef kScatterOp = MakeOpDef<ScatterAttrs>({.name = "Scatter",
                                                  .min_inputs = 3,
                                                  .max_inputs = 3,
                                                  .num_outputs = 1,
                                                  .traits = kMayRunInPlace,
                                                  .infer = InferScatter,
                                                  .cost = CostScatter});

}  // namespace linnet
