// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/broadcast_to.h"

#include <limits>

#include "runtime/ops/shape_attr.h"

namespace linnet {

Status Decode(const schema::BroadcastToAttrs& table, BroadcastToAttrs* attrs) {
  int64_t elements;
  if (!ShapeFromAttr(table.shape(), 0, std::numeric_limits<int64_t>::max(), &attrs->shape) ||
      !attrs->shape.NumElementsChecked(&elements))
    return {StatusCode::kInvalidPlan, "BroadcastTo: shape wants at most 8 dimensions, all >= 0"};
  return {};
}

flatbuffers::Offset<schema::BroadcastToAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                     const BroadcastToAttrs& attrs) {
  return schema::CreateBroadcastToAttrs(fbb, ShapeToAttr<int64_t>(fbb, attrs.shape));
}

namespace {

Status InferBroadcastTo(const OpInstance& op, TensorType* outputs) {
  const Shape& shape = op.as<BroadcastToAttrs>().shape;
  const Shape& input = op.input(0).shape;
  const int added = shape.rank() - input.rank();
  if (added < 0)
    return {StatusCode::kInvalidPlan, "BroadcastTo: shape must not have fewer dimensions"};
  for (int i = 0; i < input.rank(); ++i) {
    if (input[i] != 1 && input[i] != shape[i + added])
      return {StatusCode::kInvalidPlan, "BroadcastTo: input dimensions must be 1 or equal"};
  }
  outputs[0] = {op.input(0).dtype, shape};
  return {};
}

bool SetExtent(void* attrs, int slot, int64_t value) {
  return SetShapeExtent(&static_cast<BroadcastToAttrs*>(attrs)->shape, slot, value);
}

}  // namespace

const OpDef kBroadcastToOp = MakeOpDef<BroadcastToAttrs>({.name = "BroadcastTo",
                                                          .min_inputs = 1,
                                                          .max_inputs = 1,
                                                          .num_outputs = 1,
                                                          .traits = kMovesElements,
                                                          .infer = InferBroadcastTo,
                                                          .cost = NoCost,
                                                          .set_extent = SetExtent});

}  // namespace linnet
