// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/reduce.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/ops/reduce.h"

namespace linnet::portable {
namespace {

kernels::ReduceKind KernelKind(schema::ReduceKind kind) {
  switch (kind) {
    case schema::ReduceKind::Mean:
      return kernels::ReduceKind::kMean;
    case schema::ReduceKind::Prod:
      return kernels::ReduceKind::kProd;
    case schema::ReduceKind::Max:
    case schema::ReduceKind::Any:
      return kernels::ReduceKind::kMax;
    case schema::ReduceKind::Min:
    case schema::ReduceKind::All:
      return kernels::ReduceKind::kMin;
    default:
      return kernels::ReduceKind::kSum;
  }
}

int64_t ScratchBytes(const OpInstance& op, int) {
  const ReduceAttrs& attrs = op.as<ReduceAttrs>();
  return kernels::ReduceScratch(KernelKind(attrs.kind), op.input(0).dtype, op.input(0).shape,
                                attrs.axes);
}

Status Run(const KernelContext& context) {
  const ReduceAttrs& attrs = context.as<ReduceAttrs>();
  const TensorView& in = context.inputs[0];
  kernels::Reduce(KernelKind(attrs.kind), in.dtype(), in.data, in.shape(), attrs.axes,
                  context.outputs[0].data, context.scratch, context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kReduceKernel = {
    .why_unsupported = WhyUnsupported, .scratch_bytes = ScratchBytes, .run = Run};

}  // namespace linnet::portable
