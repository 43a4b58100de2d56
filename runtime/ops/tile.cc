// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/tile.h"

#include <limits>

#include "runtime/ops/shape_attr.h"

namespace linnet {

Status Decode(const schema::TileAttrs& table, TileAttrs* attrs) {
  if (!ShapeFromAttr(table.multiples(), 0, std::numeric_limits<int64_t>::max(), &attrs->multiples))
    return {StatusCode::kInvalidPlan, "Tile: multiples must be >= 0, at most 8 numbers"};
  return {};
}

flatbuffers::Offset<schema::TileAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                              const TileAttrs& attrs) {
  return schema::CreateTileAttrs(fbb, ShapeToAttr<int64_t>(fbb, attrs.multiples));
}

namespace {

Status InferTile(const OpInstance& op, TensorType* outputs) {
  const Shape& multiples = op.as<TileAttrs>().multiples;
  outputs[0] = op.input(0);
  Shape& shape = outputs[0].shape;
  if (multiples.rank() != shape.rank())
    return {StatusCode::kInvalidPlan, "Tile: wants one multiple per dimension"};
  for (int i = 0; i < shape.rank(); ++i) {
    if (!CheckedMul(shape[i], multiples[i], &shape[i]))
      return {StatusCode::kInvalidPlan, "Tile: output is too large"};
  }
  return {};
}

bool SetExtent(void* attrs, int slot, int64_t value) {
  return SetShapeExtent(&static_cast<TileAttrs*>(attrs)->multiples, slot, value);
}

}  // namespace

const OpDef kTileOp = MakeOpDef<TileAttrs>({.name = "Tile",
                                            .min_inputs = 1,
                                            .max_inputs = 1,
                                            .num_outputs = 1,
                                            .traits = kMovesElements,
                                            .infer = InferTile,
                                            .cost = NoCost,
                                            .set_extent = SetExtent});

}  // namespace linnet
