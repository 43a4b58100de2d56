// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/fourier.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/fourier.h"

namespace linnet::portable {
namespace {

kernels::FourierKind KernelKind(schema::FourierKind kind) {
  switch (kind) {
    case schema::FourierKind::Inverse:
      return kernels::FourierKind::kInverse;
    case schema::FourierKind::RealForward:
      return kernels::FourierKind::kRealForward;
    case schema::FourierKind::RealInverse:
      return kernels::FourierKind::kRealInverse;
    default:
      return kernels::FourierKind::kForward;
  }
}

kernels::FourierJob JobOf(const FourierAttrs& attrs, const Shape& in) {
  const bool real = attrs.kind == schema::FourierKind::RealForward;
  return {KernelKind(attrs.kind), in.Product(0, in.rank() - (real ? 1 : 2)), attrs.length};
}

int64_t ScratchBytes(const OpInstance& op, int threads) {
  return kernels::FourierScratch(JobOf(op.as<FourierAttrs>(), op.input(0).shape), threads);
}

int64_t PreparedBytes(const OpInstance& op) {
  return kernels::FourierTableBytes(JobOf(op.as<FourierAttrs>(), op.input(0).shape));
}

void Prepare(const OpInstance& op, void* prepared) {
  kernels::MakeFourierTable(JobOf(op.as<FourierAttrs>(), op.input(0).shape),
                            static_cast<float*>(prepared));
}

Status Run(const KernelContext& context) {
  const TensorView &in = context.inputs[0], &out = context.outputs[0];
  kernels::Fourier(JobOf(context.as<FourierAttrs>(), in.shape()), in.as<float>(),
                   static_cast<const float*>(context.prepared), context.scratch, out.as<float>(),
                   context.parallel);
  return {};
}

}  // namespace

const PortableOp kFourierKernel = {.why_unsupported = SupportsAnything,
                                   .scratch_bytes = ScratchBytes,
                                   .prepared_bytes = PreparedBytes,
                                   .prepare = Prepare,
                                   .run = Run};

}  // namespace linnet::portable
