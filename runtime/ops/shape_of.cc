// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/shape_of.h"

namespace linnet {

Status Decode(const schema::ShapeOfAttrs& table, ShapeOfAttrs* attrs) {
  attrs->dtype = static_cast<DType>(table.dtype());
  if (attrs->dtype != DType::kInt32 && attrs->dtype != DType::kInt64)
    return {StatusCode::kInvalidPlan, "ShapeOf: want i32 or i64"};
  return {};
}

flatbuffers::Offset<schema::ShapeOfAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const ShapeOfAttrs& attrs) {
  return schema::CreateShapeOfAttrs(fbb, static_cast<uint8_t>(attrs.dtype));
}

namespace {

Status InferShapeOf(const OpInstance& op, TensorType* outputs) {
  outputs[0] = {op.as<ShapeOfAttrs>().dtype, {op.input(0).shape.rank()}};
  return {};
}

}  // namespace

const OpDef kShapeOfOp = MakeOpDef<ShapeOfAttrs>({.name = "ShapeOf",
                                                  .min_inputs = 1,
                                                  .max_inputs = 1,
                                                  .num_outputs = 1,
                                                  .traits = kNoTraits,
                                                  .infer = InferShapeOf,
                                                  .cost = NoCost});

}  // namespace linnet
