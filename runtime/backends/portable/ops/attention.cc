// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/attention.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/attention.h"

namespace linnet::portable {
namespace {

kernels::AttentionShape ShapeOf(const AttentionAttrs& attrs, const Shape& q, const Shape& v) {
  return {.batch = q[0],
          .heads = q[2],
          .groups = v[2],
          .rows = q[1],
          .cols = v[1],
          .depth = q[3],
          .value_depth = v[3],
          .scale = attrs.scale};
}

kernels::AttentionMask MaskOf(const TensorView& view, float hidden) {
  kernels::AttentionMask mask;
  mask.hidden = hidden;
  if (view.dtype() == DType::kBool)
    mask.kept = view.as<const uint8_t>();
  else
    mask.added = view.as<const float>();
  const Shape& shape = view.shape();
  int64_t step = shape.back();
  for (int i = shape.rank() - 2; i >= 0; --i) {
    mask.stride[4 - shape.rank() + i] = shape[i] == 1 ? 0 : step;
    step *= shape[i];
  }
  return mask;
}

int64_t Scratch(const OpInstance& op, PacksWeights packs, int threads) {
  return kernels::AttentionScratchBytes(
      ShapeOf(op.as<AttentionAttrs>(), op.input(0).shape, op.input(2).shape), packs, threads);
}

int64_t ScratchBytes(const OpInstance& op, int threads) {
  return kLinkedPacking ? Scratch(op, true, threads) : 0;
}

int64_t PlainScratchBytes(const OpInstance& op, int threads) {
  return kLinkedPlain ? Scratch(op, false, threads) : 0;
}

Status Run(const KernelContext& context) {
  const auto& attrs = context.as<AttentionAttrs>();
  const TensorView &q = context.inputs[0], &k = context.inputs[1], &v = context.inputs[2];
  kernels::AttentionMask masks[kMaxAttentionMasks];
  const auto given = context.inputs.subspan(kFirstAttentionMask);
  for (size_t i = 0; i < given.size(); ++i) masks[i] = MaskOf(given[i], attrs.hidden);
  kernels::Attention(ShapeOf(attrs, q.shape(), v.shape()), q.as<const float>(), k.as<const float>(),
                     v.as<const float>(), {masks, given.size()}, context.packs,
                     context.outputs[0].as<float>(), context.scratch, context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kAttentionKernel = {.why_unsupported = WhyUnsupported,
                                     .scratch_bytes = ScratchBytes,
                                     .plain_scratch_bytes = PlainScratchBytes,
                                     .run = Run};

}  // namespace linnet::portable
