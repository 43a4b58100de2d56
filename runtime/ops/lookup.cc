// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/lookup.h"

#include <bit>
#include <limits>

namespace linnet {

Status Decode(const schema::LookupAttrs&, LookupAttrs* attrs) {
  *attrs = {};
  return {};
}

flatbuffers::Offset<schema::LookupAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const LookupAttrs&) {
  return schema::CreateLookupAttrs(fbb);
}

namespace {

Status InferLookup(const OpInstance& op, TensorType* outputs) {
  const TensorType &queries = op.input(0), &keys = op.input(1);
  if (queries.dtype != DType::kInt32 && queries.dtype != DType::kInt64)
    return {StatusCode::kInvalidPlan, "Lookup: queries must be i32 or i64"};
  if (keys.dtype != queries.dtype || keys.shape.rank() != 1)
    return {StatusCode::kInvalidPlan, "Lookup: keys must be a vector of the queries' dtype"};
  if (keys.shape[0] > std::numeric_limits<int32_t>::max())
    return {StatusCode::kInvalidPlan, "Lookup: there are too many keys"};
  outputs[0] = {DType::kInt32, queries.shape};
  return {};
}

Cost CostLookup(const OpInstance& op) {
  const auto keys = static_cast<uint64_t>(op.input(1).shape[0]);
  return {.flops = SaturatingMul(op.input(0).shape.num_elements(), std::bit_width(keys))};
}

}  // namespace

const OpDef kLookupOp = MakeOpDef<LookupAttrs>({.name = "Lookup",
                                                .min_inputs = 2,
                                                .max_inputs = 2,
                                                .num_outputs = 1,
                                                .traits = kMayRunInPlace,
                                                .infer = InferLookup,
                                                .cost = CostLookup});

}  // namespace linnet
