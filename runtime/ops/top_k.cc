// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/top_k.h"

#include <limits>

namespace linnet {

Status Decode(const schema::TopKAttrs& table, TopKAttrs* attrs) {
  if (table.k() < 0) return {StatusCode::kInvalidPlan, "TopK: k must be >= 0"};
  attrs->k = table.k();
  attrs->sorted = table.sorted();
  return {};
}

flatbuffers::Offset<schema::TopKAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                              const TopKAttrs& attrs) {
  return schema::CreateTopKAttrs(fbb, attrs.k, attrs.sorted);
}

namespace {

Status InferTopK(const OpInstance& op, TensorType* outputs) {
  const int k = op.as<TopKAttrs>().k;
  const TensorType& in = op.input(0);
  if (in.dtype != DType::kFloat32 && in.dtype != DType::kInt32 && in.dtype != DType::kInt64 &&
      in.dtype != DType::kUint8 && in.dtype != DType::kInt8)
    return {StatusCode::kInvalidPlan, "TopK: want f32, i32, i64, u8 or i8"};
  if (in.shape.rank() < 1 || in.shape.back() < k ||
      in.shape.back() > std::numeric_limits<int32_t>::max())
    return {StatusCode::kInvalidPlan, "TopK: the last dimension must have k to 2^31-1 elements"};
  outputs[0] = in;
  outputs[0].shape[in.shape.rank() - 1] = k;
  outputs[1] = {DType::kInt32, outputs[0].shape};
  return {};
}

Cost CostTopK(const OpInstance& op) { return {.flops = 2 * op.input(0).shape.num_elements()}; }

bool SetExtent(void* attrs, int slot, int64_t value) {
  if (slot != 0 || value < 0 || value > std::numeric_limits<int32_t>::max()) return false;
  static_cast<TopKAttrs*>(attrs)->k = static_cast<int>(value);
  return true;
}

}  // namespace

const OpDef kTopKOp = MakeOpDef<TopKAttrs>({.name = "TopK",
                                            .min_inputs = 1,
                                            .max_inputs = 1,
                                            .num_outputs = 2,
                                            .traits = kNoTraits,
                                            .infer = InferTopK,
                                            .cost = CostTopK,
                                            .set_extent = SetExtent});

}  // namespace linnet
