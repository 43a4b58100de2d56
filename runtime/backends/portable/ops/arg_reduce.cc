// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/arg_reduce.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/ops/arg_reduce.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const ArgReduceAttrs& attrs = context.as<ArgReduceAttrs>();
  const TensorView &in = context.inputs[0], &out = context.outputs[0];
  const Shape& shape = in.shape();
  kernels::ArgReduce(in.dtype(), in.data, attrs.min, shape.Product(0, attrs.axis),
                     shape[attrs.axis], shape.Product(attrs.axis + 1, shape.rank()), out.dtype(),
                     out.data, context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kArgReduceKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
