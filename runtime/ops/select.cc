// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/select.h"

#include "runtime/ops/broadcast.h"

namespace linnet {

Status Decode(const schema::SelectAttrs&, SelectAttrs* attrs) {
  *attrs = {};
  return {};
}

flatbuffers::Offset<schema::SelectAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const SelectAttrs&) {
  return schema::CreateSelectAttrs(fbb);
}

namespace {

Status InferSelect(const OpInstance& op, TensorType* outputs) {
  if (op.input(0).dtype != DType::kBool)
    return {StatusCode::kInvalidPlan, "Select: the condition must be bool"};
  if (op.input(1).dtype != op.input(2).dtype)
    return {StatusCode::kInvalidPlan, "Select: both values must have one dtype"};
  outputs[0].dtype = op.input(1).dtype;
  Shape* shape = &outputs[0].shape;
  LINNET_RETURN_IF_ERROR(BroadcastShapes(op.input(1).shape, op.input(2).shape, shape));
  return BroadcastShapes(op.input(0).shape, *shape, shape);
}

Cost CostSelect(const OpInstance& op) { return {.flops = op.output(0).shape.num_elements()}; }

}  // namespace

// May also run in place over the condition: it has as many bytes as the output only with the same
// shape.
const OpDef kSelectOp =
    MakeOpDef<SelectAttrs>({.name = "Select",
                            .min_inputs = 3,
                            .max_inputs = 3,
                            .num_outputs = 1,
                            .traits = kMayRunInPlace | kInPlaceSecond | kElementwise,
                            .infer = InferSelect,
                            .cost = CostSelect});

}  // namespace linnet
