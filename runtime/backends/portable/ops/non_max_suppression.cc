// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/non_max_suppression.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/copy_bytes.h"
#include "runtime/kernels/non_max_suppression.h"

namespace linnet::portable {
namespace {

kernels::NonMaxSuppressionJob JobOf(const NonMaxSuppressionAttrs& attrs, const Shape& boxes) {
  return {.boxes = boxes[0],
          .box_stride = 4,
          .score_stride = 1,
          .max_outputs = attrs.max_outputs,
          .iou_threshold = attrs.iou_threshold,
          .score_threshold = attrs.score_threshold,
          .sigma = attrs.sigma};
}

int64_t ScratchBytes(const OpInstance& op, int) {
  return kernels::NonMaxSuppressionScratch(
      JobOf(op.as<NonMaxSuppressionAttrs>(), op.input(0).shape));
}

Status Run(const KernelContext& context) {
  const auto& attrs = context.as<NonMaxSuppressionAttrs>();
  auto* indices = context.outputs[0].as<int32_t>();
  auto* scores = context.outputs[1].as<float>();
  const int64_t count = kernels::NonMaxSuppression(
      JobOf(attrs, context.inputs[0].shape()), context.inputs[0].as<float>(),
      context.inputs[1].as<float>(), context.scratch, indices, scores, context.parallel);
  const int64_t left_bytes = (attrs.max_outputs - count) * 4;
  kernels::ZeroBytes(indices + count, left_bytes, context.parallel);
  kernels::ZeroBytes(scores + count, left_bytes, context.parallel);
  *context.outputs[2].as<int32_t>() = static_cast<int32_t>(count);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kNonMaxSuppressionKernel = {
    .why_unsupported = WhyUnsupported, .scratch_bytes = ScratchBytes, .run = Run};

}  // namespace linnet::portable
