// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/layer_norm.h"

namespace linnet {

Status Decode(const schema::LayerNormAttrs& table, LayerNormAttrs* attrs) {
  if (!(table.epsilon() >= 0.0f))
    return {StatusCode::kInvalidPlan, "LayerNorm: epsilon must be >= 0"};
  attrs->epsilon = table.epsilon();
  return {};
}

flatbuffers::Offset<schema::LayerNormAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                   const LayerNormAttrs& attrs) {
  return schema::CreateLayerNormAttrs(fbb, attrs.epsilon);
}

namespace {

Status InferLayerNorm(const OpInstance& op, TensorType* outputs) {
  if (op.input(0).dtype != DType::kFloat32 || op.input(0).shape.rank() < 1)
    return {StatusCode::kInvalidPlan, "LayerNorm: want f32 of rank >= 1"};
  const Shape channels = {op.input(0).shape.back()};
  for (int i = 1; i < 3; ++i) {
    if (op.input(i).dtype != DType::kFloat32 || op.input(i).shape != channels)
      return {StatusCode::kInvalidPlan, "LayerNorm: gamma and beta must be f32 [channels]"};
  }
  outputs[0] = op.input(0);
  return {};
}

Cost CostLayerNorm(const OpInstance& op) {
  return {.flops = 8 * op.output(0).shape.num_elements()};
}

}  // namespace

const OpDef kLayerNormOp =
    MakeOpDef<LayerNormAttrs>({.name = "LayerNorm",
                               .min_inputs = 3,
                               .max_inputs = 3,
                               .num_outputs = 1,
                               .traits = kMayRunInPlace | kAlongLastDimension,
                               .infer = InferLayerNorm,
                               .cost = CostLayerNorm});

}  // namespace linnet
