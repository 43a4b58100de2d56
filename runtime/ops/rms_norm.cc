// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/rms_norm.h"

namespace linnet {

Status Decode(const schema::RmsNormAttrs& table, RmsNormAttrs* attrs) {
  if (!(table.epsilon() >= 0.0f))
    return {StatusCode::kInvalidPlan, "RmsNorm: epsilon must be >= 0"};
  attrs->epsilon = table.epsilon();
  return {};
}

flatbuffers::Offset<schema::RmsNormAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const RmsNormAttrs& attrs) {
  return schema::CreateRmsNormAttrs(fbb, attrs.epsilon);
}

namespace {

Status InferRmsNorm(const OpInstance& op, TensorType* outputs) {
  if (op.input(0).dtype != DType::kFloat32 || op.input(0).shape.rank() < 1)
    return {StatusCode::kInvalidPlan, "RmsNorm: want f32 of rank >= 1"};
  const Shape channels = {op.input(0).shape.back()};
  if (op.input(1).dtype != DType::kFloat32 || op.input(1).shape != channels)
    return {StatusCode::kInvalidPlan, "RmsNorm: gamma must be f32 [channels]"};
  outputs[0] = op.input(0);
  return {};
}

Cost CostRmsNorm(const OpInstance& op) { return {.flops = 4 * op.output(0).shape.num_elements()}; }

}  // namespace

const OpDef kRmsNormOp = MakeOpDef<RmsNormAttrs>({.name = "RmsNorm",
                                                  .min_inputs = 2,
                                                  .max_inputs = 2,
                                                  .num_outputs = 1,
                                                  .traits = kMayRunInPlace | kAlongLastDimension,
                                                  .infer = InferRmsNorm,
                                                  .cost = CostRmsNorm});

}  // namespace linnet
