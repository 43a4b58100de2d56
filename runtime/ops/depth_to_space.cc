// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/depth_to_space.h"

namespace linnet {

Status Decode(const schema::DepthToSpaceAttrs& table, DepthToSpaceAttrs* attrs) {
  // 2^15, so that the square of a block fits an int.
  if (table.block() < 1 || table.block() > 32768)
    return {StatusCode::kInvalidPlan, "DepthToSpace: block must be in 1..32768"};
  attrs->block = table.block();
  return {};
}

flatbuffers::Offset<schema::DepthToSpaceAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                      const DepthToSpaceAttrs& attrs) {
  return schema::CreateDepthToSpaceAttrs(fbb, attrs.block);
}

namespace {

Status InferDepthToSpace(const OpInstance& op, TensorType* outputs) {
  const int64_t block = op.as<DepthToSpaceAttrs>().block;
  outputs[0] = op.input(0);
  Shape& shape = outputs[0].shape;
  if (shape.rank() != 4) return {StatusCode::kInvalidPlan, "DepthToSpace: input must be NHWC"};
  if (shape[3] % (block * block) != 0)
    return {StatusCode::kInvalidPlan, "DepthToSpace: channels must be a multiple of block^2"};
  if (!CheckedMul(shape[1], block, &shape[1]) || !CheckedMul(shape[2], block, &shape[2]))
    return {StatusCode::kInvalidPlan, "DepthToSpace: output is too large"};
  shape[3] /= block * block;
  return {};
}

}  // namespace

const OpDef kDepthToSpaceOp = MakeOpDef<DepthToSpaceAttrs>({.name = "DepthToSpace",
                                                            .min_inputs = 1,
                                                            .max_inputs = 1,
                                                            .num_outputs = 1,
                                                            .traits = kMovesElements,
                                                            .infer = InferDepthToSpace,
                                                            .cost = NoCost});

}  // namespace linnet
