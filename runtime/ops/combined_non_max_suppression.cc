// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/combined_non_max_suppression.h"

namespace linnet {

Status Decode(const schema::CombinedNonMaxSuppressionAttrs& table,
              CombinedNonMaxSuppressionAttrs* attrs) {
  *attrs = {table.max_per_class(), table.max_total(), table.iou_threshold(),
            table.score_threshold(), table.clip()};
  return {};
}

flatbuffers::Offset<schema::CombinedNonMaxSuppressionAttrs> Encode(
    flatbuffers::FlatBufferBuilder& fbb, const CombinedNonMaxSuppressionAttrs& attrs) {
  return schema::CreateCombinedNonMaxSuppressionAttrs(fbb, attrs.max_per_class, attrs.max_total,
                                                      attrs.iou_threshold, attrs.score_threshold,
                                                      attrs.clip);
}

namespace {

Status InferCombinedNonMaxSuppression(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<CombinedNonMaxSuppressionAttrs>();
  if (attrs.max_per_class < 0 || attrs.max_total < 0)
    return {StatusCode::kInvalidPlan, "CombinedNonMaxSuppression: counts must be >= 0"};
  // Written so that NaN fails.
  if (!(attrs.iou_threshold >= 0 && attrs.iou_threshold <= 1) ||
      attrs.score_threshold != attrs.score_threshold)
    return {StatusCode::kInvalidPlan,
            "CombinedNonMaxSuppression: want iou_threshold in [0, 1], no NaN"};
  const TensorType &boxes = op.input(0), &scores = op.input(1);
  if (boxes.dtype != DType::kFloat32 || boxes.shape.rank() != 4 || boxes.shape[3] != 4)
    return {StatusCode::kInvalidPlan,
            "CombinedNonMaxSuppression: want f32 boxes [batch, n, 1 or classes, 4]"};
  const int64_t batch = boxes.shape[0], count = boxes.shape[1], per_class = boxes.shape[2];
  if (scores.dtype != DType::kFloat32 || scores.shape.rank() != 3 || scores.shape[0] != batch ||
      scores.shape[1] != count)
    return {StatusCode::kInvalidPlan,
            "CombinedNonMaxSuppression: want f32 scores [batch, n, classes]"};
  const int64_t classes = scores.shape[2];
  // Results are numbered by class and box in 32 bits each.
  if ((per_class != 1 && per_class != classes) || count > INT32_MAX || classes > INT32_MAX)
    return {StatusCode::kInvalidPlan,
            "CombinedNonMaxSuppression: want one box for all classes or one for each"};
  const int64_t rows = attrs.max_total;
  outputs[0] = {DType::kFloat32, {batch, rows, 4}};
  outputs[1] = {DType::kFloat32, {batch, rows}};
  outputs[2] = {DType::kFloat32, {batch, rows}};
  outputs[3] = {DType::kInt32, {batch}};
  return {};
}

// About 16 operations for each box and each chosen one, class by class.
Cost CostCombinedNonMaxSuppression(const OpInstance& op) {
  const Shape& scores = op.input(1).shape;
  const int64_t most = op.as<CombinedNonMaxSuppressionAttrs>().max_per_class;
  const int64_t chosen = scores[1] < most ? scores[1] : most;
  return {.flops = SaturatingMul(SaturatingMul(scores.num_elements(), chosen), 16)};
}

}  // namespace

const OpDef kCombinedNonMaxSuppressionOp =
    MakeOpDef<CombinedNonMaxSuppressionAttrs>({.name = "CombinedNonMaxSuppression",
                                               .min_inputs = 2,
                                               .max_inputs = 2,
                                               .num_outputs = 4,
                                               .traits = kNoTraits,
                                               .infer = InferCombinedNonMaxSuppression,
                                               .cost = CostCombinedNonMaxSuppression});

}  // namespace linnet
