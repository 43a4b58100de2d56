// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/unique.h"

#include <limits>

namespace linnet {

Status Decode(const schema::UniqueAttrs&, UniqueAttrs* attrs) {
  *attrs = {};
  return {};
}

flatbuffers::Offset<schema::UniqueAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const UniqueAttrs&) {
  return schema::CreateUniqueAttrs(fbb);
}

namespace {

Status InferUnique(const OpInstance& op, TensorType* outputs) {
  const TensorType& in = op.input(0);
  if (in.shape.rank() < 1) return {StatusCode::kInvalidPlan, "Unique: want 1 to 8 dimensions"};
  if (in.dtype == DType::kFloat16 || in.dtype == DType::kFloat64)
    return {StatusCode::kInvalidPlan, "Unique: want integers, bool or f32"};
  const int64_t rows = in.shape[0];
  if (rows > std::numeric_limits<int32_t>::max())
    return {StatusCode::kInvalidPlan, "Unique: input has too many rows"};
  outputs[0] = in;
  outputs[1] = outputs[2] = {DType::kInt32, {rows}};
  outputs[3] = {DType::kInt32, {}};
  return {};
}

Cost CostUnique(const OpInstance& op) { return {.flops = op.input(0).shape.num_elements()}; }

}  // namespace

const OpDef kUniqueOp = MakeOpDef<UniqueAttrs>({.name = "Unique",
                                                .min_inputs = 1,
                                                .max_inputs = 1,
                                                .num_outputs = 4,
                                                .traits = kNoTraits,
                                                .infer = InferUnique,
                                                .cost = CostUnique});

}  // namespace linnet
