// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/l2_normalize.h"

namespace linnet {

Status Decode(const schema::L2NormalizeAttrs& table, L2NormalizeAttrs* attrs) {
  if (!(table.epsilon() >= 0.0f))
    return {StatusCode::kInvalidPlan, "L2Normalize: epsilon must be >= 0"};
  attrs->epsilon = table.epsilon();
  return {};
}

flatbuffers::Offset<schema::L2NormalizeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                     const L2NormalizeAttrs& attrs) {
  return schema::CreateL2NormalizeAttrs(fbb, attrs.epsilon);
}

namespace {

Status InferL2Normalize(const OpInstance& op, TensorType* outputs) {
  if (op.input(0).dtype != DType::kFloat32 || op.input(0).shape.rank() < 1)
    return {StatusCode::kInvalidPlan, "L2Normalize: want f32 of rank >= 1"};
  outputs[0] = op.input(0);
  return {};
}

Cost CostL2Normalize(const OpInstance& op) {
  return {.flops = 3 * op.output(0).shape.num_elements()};
}

}  // namespace

const OpDef kL2NormalizeOp =
    MakeOpDef<L2NormalizeAttrs>({.name = "L2Normalize",
                                 .min_inputs = 1,
                                 .max_inputs = 1,
                                 .num_outputs = 1,
                                 .traits = kMayRunInPlace | kAlongLastDimension,
                                 .infer = InferL2Normalize,
                                 .cost = CostL2Normalize});

}  // namespace linnet
