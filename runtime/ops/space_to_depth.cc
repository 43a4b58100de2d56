// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/space_to_depth.h"

namespace linnet {

Status Decode(const schema::SpaceToDepthAttrs& table, SpaceToDepthAttrs* attrs) {
  // 2^15, so that the square of a block fits an int.
  if (table.block() < 1 || table.block() > 32768)
    return {StatusCode::kInvalidPlan, "SpaceToDepth: block must be in 1..32768"};
  attrs->block = table.block();
  return {};
}

flatbuffers::Offset<schema::SpaceToDepthAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                      const SpaceToDepthAttrs& attrs) {
  return schema::CreateSpaceToDepthAttrs(fbb, attrs.block);
}

namespace {

Status InferSpaceToDepth(const OpInstance& op, TensorType* outputs) {
  const int64_t block = op.as<SpaceToDepthAttrs>().block;
  outputs[0] = op.input(0);
  Shape& shape = outputs[0].shape;
  if (shape.rank() != 4) return {StatusCode::kInvalidPlan, "SpaceToDepth: input must be NHWC"};
  if (shape[1] % block != 0 || shape[2] % block != 0)
    return {StatusCode::kInvalidPlan, "SpaceToDepth: height, width must be multiples of block"};
  if (!CheckedMul(shape[3], block * block, &shape[3]))
    return {StatusCode::kInvalidPlan, "SpaceToDepth: output is too large"};
  shape[1] /= block;
  shape[2] /= block;
  return {};
}

}  // namespace

const OpDef kSpaceToDepthOp = MakeOpDef<SpaceToDepthAttrs>({.name = "SpaceToDepth",
                                                            .min_inputs = 1,
                                                            .max_inputs = 1,
                                                            .num_outputs = 1,
                                                            .traits = kMovesElements,
                                                            .infer = InferSpaceToDepth,
                                                            .cost = NoCost});

}  // namespace linnet
