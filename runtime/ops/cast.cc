// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/cast.h"

namespace linnet {

Status Decode(const schema::CastAttrs& table, CastAttrs* attrs) {
  attrs->dtype = static_cast<DType>(table.dtype());
  if (DTypeBytes(attrs->dtype) == 0) return {StatusCode::kInvalidPlan, "Cast: unknown dtype"};
  return {};
}

flatbuffers::Offset<schema::CastAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                              const CastAttrs& attrs) {
  return schema::CreateCastAttrs(fbb, static_cast<uint8_t>(attrs.dtype));
}

namespace {

Status InferCast(const OpInstance& op, TensorType* outputs) {
  outputs[0] = {op.as<CastAttrs>().dtype, op.input(0).shape};
  return {};
}

Cost CostCast(const OpInstance& op) { return {.flops = op.output(0).shape.num_elements()}; }

}  // namespace

const OpDef kCastOp = MakeOpDef<CastAttrs>({.name = "Cast",
                                            .min_inputs = 1,
                                            .max_inputs = 1,
                                            .num_outputs = 1,
                                            .traits = kMayRunInPlace | kElementwise,
                                            .infer = InferCast,
                                            .cost = CostCast});

}  // namespace linnet
