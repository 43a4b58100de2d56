// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/clamp.h"

namespace linnet {

Status Decode(const schema::ClampAttrs& table, ClampAttrs* attrs) {
  LINNET_RETURN_IF_ERROR(DecodeRange(table.range(), &attrs->range));
  return {};
}

flatbuffers::Offset<schema::ClampAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                               const ClampAttrs& attrs) {
  const schema::Range range(attrs.range.min, attrs.range.max);
  return schema::CreateClampAttrs(fbb, attrs.range.unbounded() ? nullptr : &range);
}

namespace {

Status InferClamp(const OpInstance& op, TensorType* outputs) {
  if (op.input(0).dtype != DType::kFloat32) return {StatusCode::kInvalidPlan, "Clamp: want f32"};
  outputs[0] = op.input(0);
  return {};
}

Cost CostClamp(const OpInstance& op) { return {.flops = 2 * op.output(0).shape.num_elements()}; }

}  // namespace

const OpDef kClampOp = MakeOpDef<ClampAttrs>({.name = "Clamp",
                                              .min_inputs = 1,
                                              .max_inputs = 1,
                                              .num_outputs = 1,
                                              .traits = kMayRunInPlace | kElementwise,
                                              .infer = InferClamp,
                                              .cost = CostClamp});

}  // namespace linnet
