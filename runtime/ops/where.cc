// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/where.h"

#include <limits>

namespace linnet {

Status Decode(const schema::WhereAttrs&, WhereAttrs* attrs) {
  *attrs = {};
  return {};
}

flatbuffers::Offset<schema::WhereAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                               const WhereAttrs&) {
  return schema::CreateWhereAttrs(fbb);
}

namespace {

Status InferWhere(const OpInstance& op, TensorType* outputs) {
  const TensorType& in = op.input(0);
  const int rank = in.shape.rank();
  if (rank < 1) return {StatusCode::kInvalidPlan, "Where: want 1 to 8 dimensions"};
  if (in.dtype == DType::kFloat16 || in.dtype == DType::kFloat64)
    return {StatusCode::kInvalidPlan, "Where: want integers, bool or f32"};
  const int64_t elements = in.shape.num_elements();
  if (elements > std::numeric_limits<int32_t>::max())
    return {StatusCode::kInvalidPlan, "Where: input has too many elements"};
  outputs[0] = {DType::kInt64, {elements, rank}};
  outputs[1] = {DType::kInt32, {}};
  return {};
}

Cost CostWhere(const OpInstance& op) { return {.flops = op.input(0).shape.num_elements()}; }

}  // namespace

const OpDef kWhereOp = MakeOpDef<WhereAttrs>({.name = "Where",
                                              .min_inputs = 1,
                                              .max_inputs = 1,
                                              .num_outputs = 2,
                                              .traits = kNoTraits,
                                              .infer = InferWhere,
                                              .cost = CostWhere});

}  // namespace linnet
