// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/top_k.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/ops/top_k.h"

namespace linnet::portable {
namespace {

int64_t ScratchBytes(const OpInstance& op, int threads) {
  return kernels::TopKScratch(op.input(0).shape.back(), op.as<TopKAttrs>().k, threads);
}

Status Run(const KernelContext& context) {
  const TensorView& in = context.inputs[0];
  const Shape& shape = in.shape();
  kernels::TopK(in.dtype(), in.data, shape.Product(0, shape.rank() - 1), shape.back(),
                context.as<TopKAttrs>().k, context.outputs[0].data,
                context.outputs[1].as<int32_t>(), context.scratch, context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kTopKKernel = {
    .why_unsupported = WhyUnsupported, .scratch_bytes = ScratchBytes, .run = Run};

}  // namespace linnet::portable
