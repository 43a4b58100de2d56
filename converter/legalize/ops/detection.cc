// SPDX-License-Identifier: Apache-2.0
// The last ops of detectors: suppression of overlapping boxes, positions of what is not zero.
#include <algorithm>
#include <limits>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "runtime/ops/combined_non_max_suppression.h"
#include "runtime/ops/non_max_suppression.h"

namespace linnet::converter {
namespace {

absl::StatusOr<int> Count(const LegalizeContext& context, int input, const char* what) {
  LINNET_ASSIGN_OR_RETURN(const int64_t count, context.ConstantInt(input, what));
  if (count < 0 || count > INT32_MAX) return Invalid("'{}' is {}", what, count);
  return static_cast<int>(count);
}

// NonMaxSuppression, V2 (the IoU threshold is an input), V3 (a threshold of scores, too), V4 (the
// result may be padded) and V5 (with a sigma, and the scores as a result).
absl::Status NonMaxSuppression(LegalizeContext& context) {
  const int inputs = context.num_inputs();
  const bool is_soft = inputs == 6;
  NonMaxSuppressionAttrs attrs{.score_threshold = -std::numeric_limits<float>::infinity()};
  LINNET_ASSIGN_OR_RETURN(attrs.max_outputs, Count(context, 2, "max_output_size"));
  if (inputs > 3) {
    LINNET_ASSIGN_OR_RETURN(attrs.iou_threshold, context.ConstantScalar(3, "iou_threshold"));
  } else {
    LINNET_ASSIGN_OR_RETURN(attrs.iou_threshold, context.Float("iou_threshold", 0.5f));
  }
  if (inputs > 4) {
    LINNET_ASSIGN_OR_RETURN(attrs.score_threshold, context.ConstantScalar(4, "score_threshold"));
  }
  if (is_soft) {
    LINNET_ASSIGN_OR_RETURN(attrs.sigma, context.ConstantScalar(5, "soft_nms_sigma"));
  }
  // Not more boxes than there are.
  const int64_t boxes = context.shape(0).rank() > 0 ? context.shape(0)[0] : 0;
  LINNET_ASSIGN_OR_RETURN(const bool padded, context.Bool("pad_to_max_output_size", false));
  if (!padded) attrs.max_outputs = static_cast<int>(std::min<int64_t>(attrs.max_outputs, boxes));
  LINNET_ASSIGN_OR_RETURN(
      const std::vector<Output> all,
      context.EmitAll(attrs, {context.input(0), context.input(1)}, padded ? "" : "padded"));
  std::vector<Emitted> outputs(all.begin(), all.end());
  if (!padded) {
    const Extent count = context.SymbolOf(all[2], 0, 0, attrs.max_outputs);
    outputs[0] = EmitFirst(context, count, all[0]);
    outputs[1] = EmitFirst(context, count, all[1], "scores");
  }
  if (!is_soft) outputs.erase(outputs.begin() + 1);
  return context.Replace(outputs);
}

absl::Status Where(LegalizeContext& context) {
  if (context.shape(0).rank() == 0) return Unsupported("a scalar has no positions");
  return context.Replace(EmitWhere(context, context.input(0)));
}

absl::Status CombinedNonMaxSuppression(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(1, 3));
  CombinedNonMaxSuppressionAttrs attrs;
  LINNET_ASSIGN_OR_RETURN(attrs.max_per_class, Count(context, 2, "max_output_size_per_class"));
  LINNET_ASSIGN_OR_RETURN(attrs.max_total, Count(context, 3, "max_total_size"));
  LINNET_ASSIGN_OR_RETURN(attrs.iou_threshold, context.ConstantScalar(4, "iou_threshold"));
  LINNET_ASSIGN_OR_RETURN(attrs.score_threshold, context.ConstantScalar(5, "score_threshold"));
  LINNET_ASSIGN_OR_RETURN(attrs.clip, context.Bool("clip_boxes", true));
  LINNET_ASSIGN_OR_RETURN(const bool per_class, context.Bool("pad_per_class", false));
  const int64_t all = SaturatingMul(attrs.max_per_class, context.shape(1)[2]);
  if (per_class && all < attrs.max_total) attrs.max_total = static_cast<int>(all);
  LINNET_ASSIGN_OR_RETURN(const std::vector<Output> outputs,
                          context.EmitAll(attrs, {context.input(0), context.input(1)}));
  return context.Replace(outputs);
}

}  // namespace

std::span<const TfOp> DetectionOps() {
  static constexpr TfOp kRows[] = {
      {"CombinedNonMaxSuppression", CombinedNonMaxSuppression, "CombinedNonMaxSuppression"},
      {"NonMaxSuppression", NonMaxSuppression, "NonMaxSuppression, Slice", kMayVary},
      {"NonMaxSuppressionV2", NonMaxSuppression, "NonMaxSuppression, Slice", kMayVary},
      {"NonMaxSuppressionV3", NonMaxSuppression, "NonMaxSuppression, Slice", kMayVary},
      {"NonMaxSuppressionV4", NonMaxSuppression, "NonMaxSuppression, Slice unless padded",
       kMayVary},
      {"NonMaxSuppressionV5", NonMaxSuppression, "NonMaxSuppression, Slice unless padded",
       kMayVary},
      {"Where", Where, "Where, Slice", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
