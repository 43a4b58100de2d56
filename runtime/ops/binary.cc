// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/binary.h"

#include "runtime/ops/broadcast.h"

namespace linnet {

Status Decode(const schema::BinaryAttrs& table, BinaryAttrs* attrs) {
  if (table.kind() == schema::BinaryKind::Invalid || table.kind() > schema::BinaryKind::MAX)
    return {StatusCode::kInvalidPlan, "Binary: unknown kind"};
  attrs->kind = table.kind();
  LINNET_RETURN_IF_ERROR(DecodeRange(table.range(), &attrs->range));
  return {};
}

flatbuffers::Offset<schema::BinaryAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const BinaryAttrs& attrs) {
  const schema::Range range(attrs.range.min, attrs.range.max);
  return schema::CreateBinaryAttrs(fbb, attrs.kind, attrs.range.unbounded() ? nullptr : &range);
}

namespace {

using schema::BinaryKind;

// True when the operation exists for elements of `dtype`.
bool HasKind(DType dtype, BinaryKind kind) {
  if (kind == BinaryKind::LogicalAnd || kind == BinaryKind::LogicalOr) return dtype == DType::kBool;
  if (kind == BinaryKind::DivNoNan || kind == BinaryKind::Atan2) return dtype == DType::kFloat32;
  if (kind >= BinaryKind::BitwiseAnd) return IsInteger(dtype);
  return dtype == DType::kFloat32 || IsInteger(dtype);
}

Status InferBinary(const OpInstance& op, TensorType* outputs) {
  const BinaryAttrs& attrs = op.as<BinaryAttrs>();
  const DType dtype = op.input(0).dtype;
  if (op.input(1).dtype != dtype)
    return {StatusCode::kInvalidPlan, "Binary: both inputs must have one dtype"};
  if (!HasKind(dtype, attrs.kind))
    return {StatusCode::kInvalidPlan, "Binary: this dtype does not have the operation"};
  if (!attrs.range.unbounded() && dtype != DType::kFloat32)
    return {StatusCode::kInvalidPlan, "Binary: an output range needs f32"};
  outputs[0].dtype = dtype;
  return BroadcastShapes(op.input(0).shape, op.input(1).shape, &outputs[0].shape);
}

// Rough operations per element.
int64_t Flops(BinaryKind kind) {
  switch (kind) {
    case BinaryKind::Pow:
    case BinaryKind::Atan2:
    case BinaryKind::FloorMod:
    case BinaryKind::TruncateMod:
      return 20;
    case BinaryKind::Div:
    case BinaryKind::FloorDiv:
    case BinaryKind::TruncateDiv:
    case BinaryKind::DivNoNan:
      return 4;
    default:
      return 1;
  }
}

Cost CostBinary(const OpInstance& op) {
  return {.flops = op.output(0).shape.num_elements() * Flops(op.as<BinaryAttrs>().kind)};
}

}  // namespace

const OpDef kBinaryOp =
    MakeOpDef<BinaryAttrs>({.name = "Binary",
                            .min_inputs = 2,
                            .max_inputs = 2,
                            .num_outputs = 1,
                            .traits = kMayRunInPlace | kInPlaceSecond | kCommutative | kElementwise,
                            .infer = InferBinary,
                            .cost = CostBinary});

}  // namespace linnet
