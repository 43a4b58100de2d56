// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/gather_nd.h"

namespace linnet {

Status Decode(const schema::GatherNdAttrs& table, GatherNdAttrs* attrs) {
  if (table.batch_dims() < 0 || table.batch_dims() >= kMaxRank)
    return {StatusCode::kInvalidPlan, "GatherNd: batch_dims must be in 0..7"};
  attrs->batch_dims = table.batch_dims();
  return {};
}

flatbuffers::Offset<schema::GatherNdAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                  const GatherNdAttrs& attrs) {
  return schema::CreateGatherNdAttrs(fbb, attrs.batch_dims);
}

namespace {

Status InferGatherNd(const OpInstance& op, TensorType* outputs) {
  const int batch_dims = op.as<GatherNdAttrs>().batch_dims;
  const Shape& params = op.input(0).shape;
  const Shape& indices = op.input(1).shape;
  const DType index_dtype = op.input(1).dtype;
  if (index_dtype != DType::kInt32 && index_dtype != DType::kInt64)
    return {StatusCode::kInvalidPlan, "GatherNd: indices must be i32 or i64"};
  if (batch_dims >= indices.rank() || batch_dims > params.rank())
    return {StatusCode::kInvalidPlan, "GatherNd: batch_dims exceeds the rank of an input"};
  if (indices.back() > params.rank() - batch_dims)
    return {StatusCode::kInvalidPlan, "GatherNd: more indices in a row than params has dimensions"};
  const int first_copied = batch_dims + static_cast<int>(indices.back());
  if (indices.rank() - 1 + params.rank() - first_copied > kMaxRank)
    return {StatusCode::kInvalidPlan, "GatherNd: output has more than 8 dimensions"};
  Shape shape;
  for (int i = 0; i < indices.rank() - 1; ++i) {
    if (i < batch_dims && params[i] != indices[i])
      return {StatusCode::kInvalidPlan, "GatherNd: batch dimensions must be equal"};
    shape.Append(indices[i]);
  }
  for (int i = first_copied; i < params.rank(); ++i) shape.Append(params[i]);
  outputs[0] = {op.input(0).dtype, shape};
  return {};
}

}  // namespace

const OpDef kGatherNdOp = MakeOpDef<GatherNdAttrs>({.name = "GatherNd",
                                                    .min_inputs = 2,
                                                    .max_inputs = 2,
                                                    .num_outputs = 1,
                                                    .traits = kPicksElements,
                                                    .infer = InferGatherNd,
                                                    .cost = NoCost});

}  // namespace linnet
