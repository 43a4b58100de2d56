// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/concat.h"

namespace linnet {

Status Decode(const schema::ConcatAttrs& table, ConcatAttrs* attrs) {
  if (table.axis() < 0 || table.axis() >= kMaxRank)
    return {StatusCode::kInvalidPlan, "Concat: axis must be in 0..7"};
  attrs->axis = table.axis();
  return {};
}

flatbuffers::Offset<schema::ConcatAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const ConcatAttrs& attrs) {
  return schema::CreateConcatAttrs(fbb, attrs.axis);
}

namespace {

Status InferConcat(const OpInstance& op, TensorType* outputs) {
  const int axis = op.as<ConcatAttrs>().axis;
  const TensorType& first = op.input(0);
  if (axis >= first.shape.rank())
    return {StatusCode::kInvalidPlan, "Concat: axis must be below the rank"};
  outputs[0] = first;
  int64_t& joined = outputs[0].shape[axis];
  for (int k = 1; k < op.num_inputs(); ++k) {
    const TensorType& next = op.input(k);
    if (next.dtype != first.dtype || next.shape.rank() != first.shape.rank())
      return {StatusCode::kInvalidPlan, "Concat: inputs must have one dtype and rank"};
    for (int i = 0; i < first.shape.rank(); ++i) {
      if (i != axis && next.shape[i] != first.shape[i])
        return {StatusCode::kInvalidPlan, "Concat: inputs may differ along axis only"};
    }
    if (!CheckedAdd(joined, next.shape[axis], &joined))
      return {StatusCode::kInvalidPlan, "Concat: output is too large"};
  }
  return {};
}

}  // namespace

const OpDef kConcatOp = MakeOpDef<ConcatAttrs>({.name = "Concat",
                                                .min_inputs = 1,
                                                .max_inputs = kMaxOpInputs,
                                                .num_outputs = 1,
                                                .traits = kMovesElements,
                                                .infer = InferConcat,
                                                .cost = NoCost});

}  // namespace linnet
