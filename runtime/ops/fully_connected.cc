// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/fully_connected.h"

#include "runtime/ops/window.h"

namespace linnet {

Status Decode(const schema::FullyConnectedAttrs& table, FullyConnectedAttrs* attrs) {
  attrs->halves = table.halves();
  return DecodeRange(table.range(), &attrs->range);
}

flatbuffers::Offset<schema::FullyConnectedAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                        const FullyConnectedAttrs& attrs) {
  schema::Range range;
  return schema::CreateFullyConnectedAttrs(fbb, EncodeRange(attrs.range, &range), attrs.halves);
}

namespace {

Status InferFullyConnected(const OpInstance& op, TensorType* outputs) {
  const Shape& in = op.input(0).shape;
  const Shape& filter = op.input(1).shape;
  if (op.input(0).dtype != DType::kFloat32 || in.rank() < 1 || !IsFloat32OfRank(op.input(1), 2))
    return {StatusCode::kInvalidPlan, "FullyConnected: want f32 of rank >= 1, f32 filter [O, K]"};
  if (in.back() != filter[1])
    return {StatusCode::kInvalidPlan, "FullyConnected: the last dimension must be the filter's K"};
  if (op.num_inputs() > 2) LINNET_RETURN_IF_ERROR(CheckBias(op.input(2), filter[0]));
  outputs[0] = op.input(0);
  outputs[0].shape[in.rank() - 1] = filter[0];
  return {};
}

Cost FullyConnectedCost(const OpInstance& op) {
  return MacCost(op.output(0).shape.num_elements(), op.input(1).shape[1], op.num_inputs() > 2);
}

}  // namespace

const OpDef kFullyConnectedOp = MakeOpDef<FullyConnectedAttrs>({.name = "FullyConnected",
                                                                .min_inputs = 2,
                                                                .max_inputs = 3,
                                                                .num_outputs = 1,
                                                                .traits = kAlongLastDimension,
                                                                .infer = InferFullyConnected,
                                                                .cost = FullyConnectedCost});

}  // namespace linnet
