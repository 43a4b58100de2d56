// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/one_hot.h"

namespace linnet {

Status Decode(const schema::OneHotAttrs& table, OneHotAttrs* attrs) {
  if (table.depth() < 0) return {StatusCode::kInvalidPlan, "OneHot: depth must be >= 0"};
  if (table.axis() < 0 || table.axis() >= kMaxRank)
    return {StatusCode::kInvalidPlan, "OneHot: axis must be in 0..7"};
  attrs->depth = table.depth();
  attrs->axis = table.axis();
  return {};
}

flatbuffers::Offset<schema::OneHotAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const OneHotAttrs& attrs) {
  return schema::CreateOneHotAttrs(fbb, attrs.depth, attrs.axis);
}

namespace {

Status InferOneHot(const OpInstance& op, TensorType* outputs) {
  const OneHotAttrs& attrs = op.as<OneHotAttrs>();
  const TensorType& indices = op.input(0);
  if (indices.dtype != DType::kInt32 && indices.dtype != DType::kInt64 &&
      indices.dtype != DType::kUint8)
    return {StatusCode::kInvalidPlan, "OneHot: indices must be i32, i64 or u8"};
  const int rank = indices.shape.rank();
  if (attrs.axis > rank || rank >= kMaxRank)
    return {StatusCode::kInvalidPlan, "OneHot: axis must be at most the rank, the rank below 8"};
  if (op.input(1).dtype != op.input(2).dtype || op.input(1).shape.rank() != 0 ||
      op.input(2).shape.rank() != 0)
    return {StatusCode::kInvalidPlan, "OneHot: on and off values must be scalars of one dtype"};
  outputs[0] = {op.input(1).dtype, {}};
  for (int axis = 0; axis <= rank; ++axis) {
    if (axis == attrs.axis) outputs[0].shape.Append(attrs.depth);
    if (axis < rank) outputs[0].shape.Append(indices.shape[axis]);
  }
  return {};
}

}  // namespace

const OpDef kOneHotOp = MakeOpDef<OneHotAttrs>({.name = "OneHot",
                                                .min_inputs = 3,
                                                .max_inputs = 3,
                                                .num_outputs = 1,
                                                .traits = kNoTraits,
                                                .infer = InferOneHot,
                                                .cost = NoCost});

}  // namespace linnet
