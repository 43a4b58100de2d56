// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/pad.h"

#include <limits>

#include "runtime/ops/shape_attr.h"

namespace linnet {

Status Decode(const schema::PadAttrs& table, PadAttrs* attrs) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  if (!ShapeFromAttr(table.before(), 0, kMax, &attrs->before) ||
      !ShapeFromAttr(table.after(), 0, kMax, &attrs->after))
    return {StatusCode::kInvalidPlan, "Pad: before, after must be >= 0, at most 8 numbers"};
  if (attrs->before.rank() != attrs->after.rank())
    return {StatusCode::kInvalidPlan, "Pad: before and after must be of one length"};
  attrs->mode = table.mode();
  if (attrs->mode > schema::PadMode::MAX) return {StatusCode::kInvalidPlan, "Pad: unknown mode"};
  attrs->value = table.value();
  return {};
}

flatbuffers::Offset<schema::PadAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                             const PadAttrs& attrs) {
  const auto before = ShapeToAttr<int64_t>(fbb, attrs.before);
  const auto after = ShapeToAttr<int64_t>(fbb, attrs.after);
  return schema::CreatePadAttrs(fbb, before, after, attrs.mode, attrs.value);
}

namespace {

// Largest padding of a dimension on one side.
int64_t PadLimit(schema::PadMode mode, int64_t dim) {
  switch (mode) {
    case schema::PadMode::Reflect:
      return dim == 0 ? 0 : dim - 1;
    case schema::PadMode::Symmetric:
      return dim;
    case schema::PadMode::Constant:
      break;
  }
  return std::numeric_limits<int64_t>::max();
}

Status InferPad(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<PadAttrs>();
  const TensorType& input = op.input(0);
  if (attrs.before.rank() != input.shape.rank())
    return {StatusCode::kInvalidPlan, "Pad: wants one number before and after per dimension"};
  outputs[0] = input;
  for (int i = 0; i < input.shape.rank(); ++i) {
    const int64_t limit = PadLimit(attrs.mode, input.shape[i]);
    if (attrs.before[i] > limit || attrs.after[i] > limit)
      return {StatusCode::kInvalidPlan, "Pad: a mirrored border must be inside the input"};
    int64_t& dim = outputs[0].shape[i];
    if (!CheckedAdd(dim, attrs.before[i], &dim) || !CheckedAdd(dim, attrs.after[i], &dim))
      return {StatusCode::kInvalidPlan, "Pad: output is too large"};
  }
  return {};
}

bool SetExtent(void* attrs, int slot, int64_t value) {
  auto* pad = static_cast<PadAttrs*>(attrs);
  if (slot < PadAttrs::kAfterSlot) return SetShapeExtent(&pad->before, slot, value);
  return SetShapeExtent(&pad->after, slot - PadAttrs::kAfterSlot, value);
}

}  // namespace

const OpDef kPadOp = MakeOpDef<PadAttrs>({.name = "Pad",
                                          .min_inputs = 1,
                                          .max_inputs = 1,
                                          .num_outputs = 1,
                                          .traits = kNoTraits,
                                          .infer = InferPad,
                                          .cost = NoCost,
                                          .set_extent = SetExtent});

}  // namespace linnet
