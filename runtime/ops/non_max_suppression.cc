// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/non_max_suppression.h"

namespace linnet {

Status Decode(const schema::NonMaxSuppressionAttrs& table, NonMaxSuppressionAttrs* attrs) {
  *attrs = {table.max_outputs(), table.iou_threshold(), table.score_threshold(), table.sigma()};
  return {};
}

flatbuffers::Offset<schema::NonMaxSuppressionAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                           const NonMaxSuppressionAttrs& attrs) {
  return schema::CreateNonMaxSuppressionAttrs(fbb, attrs.max_outputs, attrs.iou_threshold,
                                              attrs.score_threshold, attrs.sigma);
}

namespace {

Status InferNonMaxSuppression(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<NonMaxSuppressionAttrs>();
  if (attrs.max_outputs < 0)
    return {StatusCode::kInvalidPlan, "NonMaxSuppression: max_outputs must be >= 0"};
  // Written so that NaN fails.
  if (!(attrs.iou_threshold >= 0 && attrs.iou_threshold <= 1) || !(attrs.sigma >= 0) ||
      attrs.score_threshold != attrs.score_threshold)
    return {StatusCode::kInvalidPlan,
            "NonMaxSuppression: want iou_threshold in [0, 1], sigma >= 0, no NaN"};
  const TensorType &boxes = op.input(0), &scores = op.input(1);
  if (boxes.dtype != DType::kFloat32 || boxes.shape.rank() != 2 || boxes.shape[1] != 4 ||
      boxes.shape[0] > INT32_MAX)
    return {StatusCode::kInvalidPlan, "NonMaxSuppression: want f32 boxes [n, 4]"};
  if (scores.dtype != DType::kFloat32 || scores.shape != Shape{boxes.shape[0]})
    return {StatusCode::kInvalidPlan, "NonMaxSuppression: want one f32 score per box"};
  const int64_t count = attrs.max_outputs;
  outputs[0] = {DType::kInt32, {count}};
  outputs[1] = {DType::kFloat32, {count}};
  outputs[2] = {DType::kInt32, {}};
  return {};
}

// About 16 operations for each box and each chosen one.
Cost CostNonMaxSuppression(const OpInstance& op) {
  const int64_t boxes = op.input(0).shape[0];
  const int64_t chosen = boxes < op.output(0).shape[0] ? boxes : op.output(0).shape[0];
  return {.flops = SaturatingMul(SaturatingMul(boxes, chosen), 16)};
}

}  // namespace

const OpDef kNonMaxSuppressionOp =
    MakeOpDef<NonMaxSuppressionAttrs>({.name = "NonMaxSuppression",
                                       .min_inputs = 2,
                                       .max_inputs = 2,
                                       .num_outputs = 3,
                                       .traits = kNoTraits,
                                       .infer = InferNonMaxSuppression,
                                       .cost = CostNonMaxSuppression});

}  // namespace linnet
