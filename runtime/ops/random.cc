// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/random.h"

#include <limits>

#include "runtime/ops/shape_attr.h"

namespace linnet {

using schema::RandomKind;

Status Decode(const schema::RandomAttrs& table, RandomAttrs* attrs) {
  if (table.kind() == RandomKind::Invalid || table.kind() > RandomKind::MAX)
    return {StatusCode::kInvalidPlan, "Random: unknown kind"};
  attrs->kind = table.kind();
  attrs->dtype = static_cast<DType>(table.dtype());
  int64_t elements;
  if (!ShapeFromAttr(table.shape(), 0, std::numeric_limits<int64_t>::max(), &attrs->shape) ||
      !attrs->shape.NumElementsChecked(&elements))
    return {StatusCode::kInvalidPlan, "Random: shape wants at most 8 dimensions, all >= 0"};
  return {};
}

flatbuffers::Offset<schema::RandomAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const RandomAttrs& attrs) {
  return schema::CreateRandomAttrs(fbb, attrs.kind, static_cast<uint8_t>(attrs.dtype),
                                   ShapeToAttr<int64_t>(fbb, attrs.shape));
}

namespace {

Status CheckGenerator(const OpInstance& op) {
  if (op.input(0) != TensorType{DType::kInt64, {1}} ||
      op.input(1) != TensorType{DType::kInt64, {2}})
    return {StatusCode::kInvalidPlan, "Random: want a key i64 [1] and a counter i64 [2]"};
  return {};
}

Status InferReal(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<RandomAttrs>();
  if (attrs.dtype != DType::kFloat32 && attrs.dtype != DType::kFloat16 &&
      attrs.dtype != DType::kFloat64)
    return {StatusCode::kInvalidPlan, "Random: want f16, f32 or f64"};
  if (op.num_inputs() != 2) return {StatusCode::kInvalidPlan, "Random: want two inputs"};
  outputs[0] = {DType::kFloat32, attrs.shape};
  return {};
}

Status InferInteger(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<RandomAttrs>();
  if (attrs.dtype != DType::kInt32 && attrs.dtype != DType::kInt64)
    return {StatusCode::kInvalidPlan, "Random: want i32 or i64"};
  const TensorType bound = {attrs.dtype, {}};
  if (op.num_inputs() != 2 &&
      !(op.num_inputs() == 4 && op.input(2) == bound && op.input(3) == bound))
    return {StatusCode::kInvalidPlan, "Random: want no bounds or two scalars of its dtype"};
  outputs[0] = {attrs.dtype, attrs.shape};
  return {};
}

Status InferPermutation(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<RandomAttrs>();
  if (attrs.dtype != DType::kInt32 || op.num_inputs() != 2 || attrs.shape.rank() != 1 ||
      attrs.shape[0] > std::numeric_limits<int32_t>::max())
    return {StatusCode::kInvalidPlan, "Random: a permutation is i32 [at most 2^31-1]"};
  outputs[0] = {DType::kInt32, attrs.shape};
  return {};
}

Status InferCategorical(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<RandomAttrs>();
  if (op.num_inputs() != 3 || op.input(2).dtype != DType::kFloat32 || op.input(2).shape.rank() != 2)
    return {StatusCode::kInvalidPlan, "Random: want logits f32 [rows, classes]"};
  if (attrs.dtype != DType::kInt64 || attrs.shape.rank() != 2 ||
      attrs.shape[0] != op.input(2).shape[0])
    return {StatusCode::kInvalidPlan, "Random: classes are i64 [rows of the logits, any]"};
  outputs[0] = {DType::kInt64, attrs.shape};
  return {};
}

Status InferRandom(const OpInstance& op, TensorType* outputs) {
  LINNET_RETURN_IF_ERROR(CheckGenerator(op));
  switch (op.as<RandomAttrs>().kind) {
    case RandomKind::Integer:
      return InferInteger(op, outputs);
    case RandomKind::Permutation:
      return InferPermutation(op, outputs);
    case RandomKind::Categorical:
      return InferCategorical(op, outputs);
    default:
      return InferReal(op, outputs);
  }
}

// About 20 operations per word of the generator, and 30 more to make a number of it.
Cost CostRandom(const OpInstance& op) {
  const bool categorical = op.as<RandomAttrs>().kind == RandomKind::Categorical;
  return {.flops =
              SaturatingAdd(SaturatingMul(op.output(0).shape.num_elements(), 50),
                            categorical ? SaturatingMul(op.input(2).shape.num_elements(), 30) : 0)};
}

bool SetExtent(void* attrs, int slot, int64_t value) {
  return SetShapeExtent(&static_cast<RandomAttrs*>(attrs)->shape, slot, value);
}

}  // namespace

const OpDef kRandomOp = MakeOpDef<RandomAttrs>({.name = "Random",
                                                .min_inputs = 2,
                                                .max_inputs = 4,
                                                .num_outputs = 1,
                                                .traits = kNoTraits,
                                                .infer = InferRandom,
                                                .cost = CostRandom,
                                                .set_extent = SetExtent});

}  // namespace linnet
