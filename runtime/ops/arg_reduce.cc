// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/arg_reduce.h"

#include <limits>

namespace linnet {

Status Decode(const schema::ArgReduceAttrs& table, ArgReduceAttrs* attrs) {
  if (table.axis() < 0 || table.axis() >= kMaxRank)
    return {StatusCode::kInvalidPlan, "ArgReduce: axis must be in 0..7"};
  attrs->min = table.min();
  attrs->axis = table.axis();
  attrs->dtype = static_cast<DType>(table.dtype());
  if (attrs->dtype != DType::kInt32 && attrs->dtype != DType::kInt64)
    return {StatusCode::kInvalidPlan, "ArgReduce: positions are i32 or i64"};
  return {};
}

flatbuffers::Offset<schema::ArgReduceAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                   const ArgReduceAttrs& attrs) {
  return schema::CreateArgReduceAttrs(fbb, attrs.min, attrs.axis,
                                      static_cast<uint8_t>(attrs.dtype));
}

namespace {

Status InferArgReduce(const OpInstance& op, TensorType* outputs) {
  const ArgReduceAttrs& attrs = op.as<ArgReduceAttrs>();
  const TensorType& in = op.input(0);
  if (in.dtype != DType::kFloat32 && in.dtype != DType::kBool && !IsInteger(in.dtype))
    return {StatusCode::kInvalidPlan, "ArgReduce: want f32, an integer dtype or bool"};
  if (attrs.axis >= in.shape.rank())
    return {StatusCode::kInvalidPlan, "ArgReduce: axis must be below the rank"};
  const int64_t count = in.shape[attrs.axis];
  if (count < 1 || count > std::numeric_limits<int32_t>::max())
    return {StatusCode::kInvalidPlan, "ArgReduce: the axis must have 1 to 2^31-1 elements"};
  outputs[0] = {attrs.dtype, {}};
  for (int axis = 0; axis < in.shape.rank(); ++axis) {
    if (axis != attrs.axis) outputs[0].shape.Append(in.shape[axis]);
  }
  return {};
}

Cost CostArgReduce(const OpInstance& op) { return {.flops = op.input(0).shape.num_elements()}; }

}  // namespace

const OpDef kArgReduceOp = MakeOpDef<ArgReduceAttrs>({.name = "ArgReduce",
                                                      .min_inputs = 1,
                                                      .max_inputs = 1,
                                                      .num_outputs = 1,
                                                      .traits = kNoTraits,
                                                      .infer = InferArgReduce,
                                                      .cost = CostArgReduce});

}  // namespace linnet
