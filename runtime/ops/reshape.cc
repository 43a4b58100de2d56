// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/reshape.h"

#include <limits>

#include "runtime/ops/shape_attr.h"

namespace linnet {

Status Decode(const schema::ReshapeAttrs& table, ReshapeAttrs* attrs) {
  int64_t elements;
  if (!ShapeFromAttr(table.shape(), 0, std::numeric_limits<int64_t>::max(), &attrs->shape) ||
      !attrs->shape.NumElementsChecked(&elements))
    return {StatusCode::kInvalidPlan, "Reshape: shape wants at most 8 dimensions, all >= 0"};
  return {};
}

flatbuffers::Offset<schema::ReshapeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const ReshapeAttrs& attrs) {
  return schema::CreateReshapeAttrs(fbb, ShapeToAttr<int64_t>(fbb, attrs.shape));
}

namespace {

Status InferReshape(const OpInstance& op, TensorType* outputs) {
  const Shape& shape = op.as<ReshapeAttrs>().shape;
  int64_t elements;
  if (!shape.NumElementsChecked(&elements) || elements != op.input(0).shape.num_elements())
    return {StatusCode::kInvalidPlan, "Reshape: shape must have as many elements as the input"};
  outputs[0] = {op.input(0).dtype, shape};
  return {};
}

bool SetExtent(void* attrs, int slot, int64_t value) {
  return SetShapeExtent(&static_cast<ReshapeAttrs*>(attrs)->shape, slot, value);
}

}  // namespace

const OpDef kReshapeOp =
    MakeOpDef<ReshapeAttrs>({.name = "Reshape",
                             .min_inputs = 1,
                             .max_inputs = 1,
                             .num_outputs = 1,
                             .traits = kAlias | kMayRunInPlace | kMovesElements,
                             .infer = InferReshape,
                             .cost = NoCost,
                             .set_extent = SetExtent});

}  // namespace linnet
