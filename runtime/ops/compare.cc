// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/compare.h"

#include "runtime/ops/broadcast.h"

namespace linnet {

Status Decode(const schema::CompareAttrs& table, CompareAttrs* attrs) {
  if (table.kind() == schema::CompareKind::Invalid || table.kind() > schema::CompareKind::MAX)
    return {StatusCode::kInvalidPlan, "Compare: unknown kind"};
  attrs->kind = table.kind();
  return {};
}

flatbuffers::Offset<schema::CompareAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const CompareAttrs& attrs) {
  return schema::CreateCompareAttrs(fbb, attrs.kind);
}

namespace {

Status InferCompare(const OpInstance& op, TensorType* outputs) {
  const schema::CompareKind kind = op.as<CompareAttrs>().kind;
  const DType dtype = op.input(0).dtype;
  if (op.input(1).dtype != dtype)
    return {StatusCode::kInvalidPlan, "Compare: both inputs must have one dtype"};
  if (dtype == DType::kFloat64) return {StatusCode::kInvalidPlan, "Compare: f64 is not supported"};
  const bool equality = kind == schema::CompareKind::Equal || kind == schema::CompareKind::NotEqual;
  if (dtype == DType::kBool && !equality)
    return {StatusCode::kInvalidPlan, "Compare: bool has no order"};
  outputs[0].dtype = DType::kBool;
  return BroadcastShapes(op.input(0).shape, op.input(1).shape, &outputs[0].shape);
}

Cost CostCompare(const OpInstance& op) { return {.flops = op.output(0).shape.num_elements()}; }

}  // namespace

// Not kMayRunInPlace: an input with wider elements could have as many bytes as the output.
const OpDef kCompareOp = MakeOpDef<CompareAttrs>({.name = "Compare",
                                                  .min_inputs = 2,
                                                  .max_inputs = 2,
                                                  .num_outputs = 1,
                                                  .traits = kCommutative | kElementwise,
                                                  .infer = InferCompare,
                                                  .cost = CostCompare});

}  // namespace linnet
