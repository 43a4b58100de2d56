// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/resize.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/resize_bicubic.h"
#include "runtime/ops/resize.h"

namespace linnet::portable {
namespace {

kernels::ResizeSampling KernelSampling(schema::Sampling sampling) {
  switch (sampling) {
    case schema::Sampling::AlignCorners:
      return kernels::ResizeSampling::kAlignCorners;
    case schema::Sampling::HalfPixel:
      return kernels::ResizeSampling::kHalfPixel;
    default:
      return kernels::ResizeSampling::kLegacy;
  }
}

kernels::ResizeJob JobOf(const ResizeAttrs& attrs, const Shape& in) {
  return {
      KernelSampling(attrs.sampling), in[0], in[1], in[2], in[3], attrs.output_h, attrs.output_w};
}

int64_t ScratchBytes(const OpInstance& op, int threads) {
  const ResizeAttrs& attrs = op.as<ResizeAttrs>();
  const kernels::ResizeJob job = JobOf(attrs, op.input(0).shape);
  if (attrs.mode == schema::ResizeMode::Bicubic) return kernels::ResizeBicubicScratch(job, threads);
  return attrs.mode == schema::ResizeMode::Bilinear ? kernels::ResizeBilinearScratch(job, threads)
                                                    : kernels::ResizeNearestScratch(job);
}

Status Run(const KernelContext& context) {
  const ResizeAttrs& attrs = context.as<ResizeAttrs>();
  const TensorView &in = context.inputs[0], &out = context.outputs[0];
  const kernels::ResizeJob job = JobOf(attrs, in.shape());
  if (attrs.mode == schema::ResizeMode::Bicubic)
    kernels::ResizeBicubic(job, in.as<float>(), out.as<float>(), context.scratch, context.parallel);
  else if (attrs.mode == schema::ResizeMode::Bilinear)
    kernels::ResizeBilinear(job, in.dtype(), in.data, out.as<float>(), context.scratch,
                            context.parallel);
  else
    kernels::ResizeNearest(job, DTypeBytes(in.dtype()), in.data, out.data, context.scratch,
                           context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kResizeKernel = {
    .why_unsupported = WhyUnsupported, .scratch_bytes = ScratchBytes, .run = Run};

}  // namespace linnet::portable
