// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/prelu.h"

#include "runtime/ops/broadcast.h"

namespace linnet {

Status Decode(const schema::PreluAttrs&, PreluAttrs* attrs) {
  *attrs = {};
  return {};
}

flatbuffers::Offset<schema::PreluAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                               const PreluAttrs&) {
  return schema::CreatePreluAttrs(fbb);
}

namespace {

Status InferPrelu(const OpInstance& op, TensorType* outputs) {
  if (op.input(0).dtype != DType::kFloat32 || op.input(1).dtype != DType::kFloat32)
    return {StatusCode::kInvalidPlan, "Prelu: want f32"};
  if (!BroadcastsTo(op.input(1).shape, op.input(0).shape))
    return {StatusCode::kInvalidPlan, "Prelu: alpha must broadcast to the input's shape"};
  outputs[0] = op.input(0);
  return {};
}

Cost CostPrelu(const OpInstance& op) { return {.flops = 2 * op.output(0).shape.num_elements()}; }

}  // namespace

const OpDef kPreluOp = MakeOpDef<PreluAttrs>({.name = "Prelu",
                                              .min_inputs = 2,
                                              .max_inputs = 2,
                                              .num_outputs = 1,
                                              .traits = kMayRunInPlace | kElementwise,
                                              .infer = InferPrelu,
                                              .cost = CostPrelu});

}  // namespace linnet
