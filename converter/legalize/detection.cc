// SPDX-License-Identifier: Apache-2.0
// What detectors end with: choosing among overlapping boxes.
#include "converter/legalize/building_blocks.h"
#include "converter/legalize/tf_op_table.h"
#include "runtime/ops/combined_non_max_suppression.h"
#include "runtime/ops/non_max_suppression.h"

namespace linnet::converter {
namespace {

absl::StatusOr<int> Count(const LegalizeContext& context, int input, const char* what) {
  LINNET_ASSIGN_OR_RETURN(const int64_t count, context.ConstantInt(input, what));
  if (count < 0 || count > INT32_MAX) return Invalid("'{}' is {}", what, count);
  return static_cast<int>(count);
}

absl::StatusOr<float> Threshold(const LegalizeContext& context, int input, const char* what) {
  LINNET_ASSIGN_OR_RETURN(const double value, context.ConstantScalar(input, what));
  return static_cast<float>(value);
}

// NonMaxSuppressionV4 and, with a sigma and the scores as a result, V5.
absl::Status NonMaxSuppression(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(5, 6));
  LINNET_ASSIGN_OR_RETURN(const bool padded, context.Bool("pad_to_max_output_size", false));
  if (!padded)
    return Unsupported("how many boxes are left depends on data; set pad_to_max_output_size");
  const bool is_soft = context.num_inputs() == 6;
  NonMaxSuppressionAttrs attrs;
  LINNET_ASSIGN_OR_RETURN(attrs.max_outputs, Count(context, 2, "max_output_size"));
  LINNET_ASSIGN_OR_RETURN(attrs.iou_threshold, Threshold(context, 3, "iou_threshold"));
  LINNET_ASSIGN_OR_RETURN(attrs.score_threshold, Threshold(context, 4, "score_threshold"));
  if (is_soft) {
    LINNET_ASSIGN_OR_RETURN(attrs.sigma, Threshold(context, 5, "soft_nms_sigma"));
  }
  LINNET_ASSIGN_OR_RETURN(
      std::vector<Output> outputs,
      context.EmitAll(attrs, std::vector<Output>{context.input(0), context.input(1)}));
  if (!is_soft) outputs.erase(outputs.begin() + 1);
  return context.Replace(outputs);
}

absl::Status CombinedNonMaxSuppression(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(6, 6));
  LINNET_RETURN_IF_ERROR(context.WantRank(1, 3));
  CombinedNonMaxSuppressionAttrs attrs;
  LINNET_ASSIGN_OR_RETURN(attrs.max_per_class, Count(context, 2, "max_output_size_per_class"));
  LINNET_ASSIGN_OR_RETURN(attrs.max_total, Count(context, 3, "max_total_size"));
  LINNET_ASSIGN_OR_RETURN(attrs.iou_threshold, Threshold(context, 4, "iou_threshold"));
  LINNET_ASSIGN_OR_RETURN(attrs.score_threshold, Threshold(context, 5, "score_threshold"));
  LINNET_ASSIGN_OR_RETURN(attrs.clip, context.Bool("clip_boxes", true));
  LINNET_ASSIGN_OR_RETURN(const bool per_class, context.Bool("pad_per_class", false));
  const int64_t all = SaturatingMul(attrs.max_per_class, context.shape(1)[2]);
  if (per_class && all < attrs.max_total) attrs.max_total = static_cast<int>(all);
  LINNET_ASSIGN_OR_RETURN(
      const std::vector<Output> outputs,
      context.EmitAll(attrs, std::vector<Output>{context.input(0), context.input(1)}));
  return context.Replace(outputs);
}

constexpr TfOp kRows[] = {
    {"CombinedNonMaxSuppression", CombinedNonMaxSuppression, "CombinedNonMaxSuppression"},
    {"NonMaxSuppressionV4", NonMaxSuppression, "NonMaxSuppression; padded results only"},
    {"NonMaxSuppressionV5", NonMaxSuppression, "NonMaxSuppression; padded results only"},
};

}  // namespace

std::span<const TfOp> DetectionOps() { return kRows; }

}  // namespace linnet::converter
