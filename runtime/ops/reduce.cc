// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/reduce.h"

namespace linnet {

Status Decode(const schema::ReduceAttrs& table, ReduceAttrs* attrs) {
  if (table.kind() == schema::ReduceKind::Invalid || table.kind() > schema::ReduceKind::MAX)
    return {StatusCode::kInvalidPlan, "Reduce: unknown kind"};
  attrs->kind = table.kind();
  attrs->keep_dims = table.keep_dims();
  attrs->axes = {};
  if (table.axes() == nullptr) return {};
  int64_t previous = -1;
  for (const int64_t axis : *table.axes()) {
    if (axis <= previous || axis >= kMaxRank)
      return {StatusCode::kInvalidPlan, "Reduce: axes must increase strictly within 0..7"};
    attrs->axes.Append(axis);
    previous = axis;
  }
  return {};
}

flatbuffers::Offset<schema::ReduceAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const ReduceAttrs& attrs) {
  int32_t axes[kMaxRank];
  for (int i = 0; i < attrs.axes.rank(); ++i) axes[i] = static_cast<int32_t>(attrs.axes[i]);
  return schema::CreateReduceAttrs(fbb, attrs.kind,
                                   fbb.CreateVector(axes, static_cast<size_t>(attrs.axes.rank())),
                                   attrs.keep_dims);
}

namespace {

using schema::ReduceKind;

bool HasKind(DType dtype, ReduceKind kind) {
  switch (kind) {
    case ReduceKind::All:
    case ReduceKind::Any:
      return dtype == DType::kBool;
    case ReduceKind::Max:
    case ReduceKind::Min:
      if (dtype == DType::kUint8 || dtype == DType::kInt8) return true;
      break;
    default:
      break;
  }
  return dtype == DType::kFloat32 || dtype == DType::kInt32 || dtype == DType::kInt64;
}

Status InferReduce(const OpInstance& op, TensorType* outputs) {
  const ReduceAttrs& attrs = op.as<ReduceAttrs>();
  const TensorType& in = op.input(0);
  if (!HasKind(in.dtype, attrs.kind))
    return {StatusCode::kInvalidPlan, "Reduce: this dtype does not have the operation"};
  const int axes = attrs.axes.rank();
  if (axes > 0 && attrs.axes[axes - 1] >= in.shape.rank())
    return {StatusCode::kInvalidPlan, "Reduce: axes must be below the rank"};
  outputs[0] = {in.dtype, {}};
  for (int axis = 0, next = 0; axis < in.shape.rank(); ++axis) {
    const bool reduced = next < axes && attrs.axes[next] == axis;
    if (!reduced)
      outputs[0].shape.Append(in.shape[axis]);
    else if (attrs.keep_dims)
      outputs[0].shape.Append(1);
    next += reduced;
  }
  return {};
}

Cost CostReduce(const OpInstance& op) { return {.flops = op.input(0).shape.num_elements()}; }

}  // namespace

const OpDef kReduceOp = MakeOpDef<ReduceAttrs>({.name = "Reduce",
                                                .min_inputs = 1,
                                                .max_inputs = 1,
                                                .num_outputs = 1,
                                                .traits = kNoTraits,
                                                .infer = InferReduce,
                                                .cost = CostReduce});

}  // namespace linnet
