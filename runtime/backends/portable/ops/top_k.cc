// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/top_k.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/ops/top_k.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const TensorView& in = context.inputs[0];
  const Shape& shape = in.shape();
  kernels::TopK(in.dtype(), in.data, shape.Product(0, shape.rank() - 1), shape.back(),
                context.as<TopKAttrs>().k, context.outputs[0].data,
                context.outputs[1].as<int32_t>(), context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kTopKKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
