// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/combined_non_max_suppression.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/combined_non_max_suppression.h"

namespace linnet::portable {
namespace {

kernels::CombinedNonMaxSuppressionJob JobOf(const CombinedNonMaxSuppressionAttrs& attrs,
                                            const Shape& boxes, const Shape& scores) {
  return {.boxes = boxes[1],
          .classes = scores[2],
          .boxes_per_entry = boxes[2],
          .max_per_class = attrs.max_per_class,
          .max_total = attrs.max_total,
          .iou_threshold = attrs.iou_threshold,
          .score_threshold = attrs.score_threshold,
          .clip = attrs.clip};
}

int64_t ScratchBytes(const OpInstance& op, int) {
  return kernels::CombinedNonMaxSuppressionScratch(
      JobOf(op.as<CombinedNonMaxSuppressionAttrs>(), op.input(0).shape, op.input(1).shape));
}

Status Run(const KernelContext& context) {
  const Shape &boxes = context.inputs[0].shape(), &scores = context.inputs[1].shape();
  const auto job = JobOf(context.as<CombinedNonMaxSuppressionAttrs>(), boxes, scores);
  for (int64_t picture = 0; picture < boxes[0] && !context.parallel.Stopped(); ++picture) {
    const int64_t row = picture * job.max_total;
    context.outputs[3].as<int32_t>()[picture] = kernels::CombinedNonMaxSuppression(
        job, context.inputs[0].as<float>() + picture * boxes.Product(1, 4),
        context.inputs[1].as<float>() + picture * scores.Product(1, 3), context.scratch,
        context.outputs[0].as<float>() + 4 * row, context.outputs[1].as<float>() + row,
        context.outputs[2].as<float>() + row, context.parallel);
  }
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kCombinedNonMaxSuppressionKernel = {
    .why_unsupported = WhyUnsupported, .scratch_bytes = ScratchBytes, .run = Run};

}  // namespace linnet::portable
