// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/softmax.h"

namespace linnet {

Status Decode(const schema::SoftmaxAttrs& table, SoftmaxAttrs* attrs) {
  attrs->log = table.log();
  return {};
}

flatbuffers::Offset<schema::SoftmaxAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const SoftmaxAttrs& attrs) {
  return schema::CreateSoftmaxAttrs(fbb, attrs.log);
}

namespace {

Status InferSoftmax(const OpInstance& op, TensorType* outputs) {
  if (op.input(0).dtype != DType::kFloat32 || op.input(0).shape.rank() < 1)
    return {StatusCode::kInvalidPlan, "Softmax: want f32 of rank >= 1"};
  outputs[0] = op.input(0);
  return {};
}

Cost CostSoftmax(const OpInstance& op) { return {.flops = 25 * op.output(0).shape.num_elements()}; }

}  // namespace

const OpDef kSoftmaxOp = MakeOpDef<SoftmaxAttrs>({.name = "Softmax",
                                                  .min_inputs = 1,
                                                  .max_inputs = 1,
                                                  .num_outputs = 1,
                                                  .traits = kMayRunInPlace | kAlongLastDimension,
                                                  .infer = InferSoftmax,
                                                  .cost = CostSoftmax});

}  // namespace linnet
