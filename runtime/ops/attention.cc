// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/attention.h"

#include <cmath>

#include "runtime/core/checked.h"
#include "runtime/ops/broadcast.h"

namespace linnet {

Status Decode(const schema::AttentionAttrs& table, AttentionAttrs* attrs) {
  if (!std::isfinite(table.scale()))
    return {StatusCode::kInvalidPlan, "Attention: scale must be finite"};
  if (std::isnan(table.hidden()))
    return {StatusCode::kInvalidPlan, "Attention: hidden must be a number"};
  attrs->scale = table.scale();
  attrs->hidden = table.hidden();
  return {};
}

flatbuffers::Offset<schema::AttentionAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                   const AttentionAttrs& attrs) {
  return schema::CreateAttentionAttrs(fbb, attrs.scale, attrs.hidden);
}

namespace {

Status InferAttention(const OpInstance& op, TensorType* outputs) {
  for (int i = 0; i < op.num_inputs(); ++i) {
    const bool may_be_bool = i >= kFirstAttentionMask;
    if (op.input(i).dtype != DType::kFloat32 && !(may_be_bool && op.input(i).dtype == DType::kBool))
      return {StatusCode::kInvalidPlan, "Attention: want f32, and f32 or bool for masks"};
  }
  const Shape &q = op.input(0).shape, &k = op.input(1).shape, &v = op.input(2).shape;
  if (q.rank() != 4 || k.rank() != 4 || v.rank() != 4)
    return {StatusCode::kInvalidPlan, "Attention: want [batch, rows, heads, depth]"};
  const int64_t heads = q[2], groups = k[2];
  if (k[0] != q[0] || k[3] != q[3])
    return {StatusCode::kInvalidPlan, "Attention: q and k must have the same batch and depth"};
  if (groups != heads && (groups == 0 || heads % groups != 0))
    return {StatusCode::kInvalidPlan, "Attention: q's heads must be a multiple of k's"};
  if (v[0] != k[0] || v[1] != k[1] || v[2] != k[2])
    return {StatusCode::kInvalidPlan, "Attention: k and v must differ in depth only"};
  for (int i = kFirstAttentionMask; i < op.num_inputs(); ++i) {
    const Shape& mask = op.input(i).shape;
    if (!BroadcastsTo(mask, {q[0], heads, q[1], k[1]}) || mask.rank() == 0 || mask.back() != k[1])
      return {StatusCode::kInvalidPlan,
              "Attention: a mask must be [.., T] and broadcast to scores"};
  }
  outputs[0] = op.input(0);
  outputs[0].shape[3] = v[3];
  return {};
}

// The scores are no tensor, so nothing has checked how many there are.
Cost CostAttention(const OpInstance& op) {
  const Shape &q = op.input(0).shape, &v = op.input(2).shape;
  const int64_t rows = q.Product(0, 3);  // of all heads
  const int64_t scores = SaturatingMul(rows, v[1]);
  Cost cost = MacCost(scores, SaturatingAdd(q[3], v[3]), /*bias=*/false);
  cost.flops = SaturatingAdd(cost.flops, SaturatingMul(27, scores));  // softmax, scale and mask
  return cost;
}

}  // namespace

const OpDef kAttentionOp =
    MakeOpDef<AttentionAttrs>({.name = "Attention",
                               .min_inputs = kFirstAttentionMask,
                               .max_inputs = kFirstAttentionMask + kMaxAttentionMasks,
                               .num_outputs = 1,
                               .traits = kNoTraits,
                               .infer = InferAttention,
                               .cost = CostAttention});

}  // namespace linnet
