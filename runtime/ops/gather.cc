// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/gather.h"

namespace linnet {

Status Decode(const schema::GatherAttrs& table, GatherAttrs* attrs) {
  if (table.batch_dims() < 0 || table.batch_dims() > table.axis() || table.axis() >= kMaxRank)
    return {StatusCode::kInvalidPlan, "Gather: wants 0 <= batch_dims <= axis <= 7"};
  attrs->axis = table.axis();
  attrs->batch_dims = table.batch_dims();
  return {};
}

flatbuffers::Offset<schema::GatherAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const GatherAttrs& attrs) {
  return schema::CreateGatherAttrs(fbb, attrs.axis, attrs.batch_dims);
}

namespace {

Status InferGather(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<GatherAttrs>();
  const Shape& params = op.input(0).shape;
  const Shape& indices = op.input(1).shape;
  const DType index_dtype = op.input(1).dtype;
  if (index_dtype != DType::kInt32 && index_dtype != DType::kInt64)
    return {StatusCode::kInvalidPlan, "Gather: indices must be i32 or i64"};
  if (attrs.axis >= params.rank())
    return {StatusCode::kInvalidPlan, "Gather: axis must be below the rank of params"};
  if (attrs.batch_dims > indices.rank())
    return {StatusCode::kInvalidPlan, "Gather: batch_dims must not exceed the rank of indices"};
  if (params.rank() - 1 + indices.rank() - attrs.batch_dims > kMaxRank)
    return {StatusCode::kInvalidPlan, "Gather: output has more than 8 dimensions"};
  Shape shape;
  for (int i = 0; i < attrs.axis; ++i) {
    if (i < attrs.batch_dims && params[i] != indices[i])
      return {StatusCode::kInvalidPlan, "Gather: batch dimensions must be equal"};
    shape.Append(params[i]);
  }
  for (int i = attrs.batch_dims; i < indices.rank(); ++i) shape.Append(indices[i]);
  for (int i = attrs.axis + 1; i < params.rank(); ++i) shape.Append(params[i]);
  outputs[0] = {op.input(0).dtype, shape};
  return {};
}

}  // namespace

const OpDef kGatherOp = MakeOpDef<GatherAttrs>({.name = "Gather",
                                                .min_inputs = 2,
                                                .max_inputs = 2,
                                                .num_outputs = 1,
                                                .traits = kPicksElements,
                                                .infer = InferGather,
                                                .cost = NoCost});

}  // namespace linnet
