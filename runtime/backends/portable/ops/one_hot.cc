// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/one_hot.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/ops/one_hot.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const OneHotAttrs& attrs = context.as<OneHotAttrs>();
  const TensorView &indices = context.inputs[0], &out = context.outputs[0];
  const Shape& shape = indices.shape();
  kernels::OneHot(indices.dtype(), indices.data, shape.Product(0, attrs.axis), attrs.depth,
                  shape.Product(attrs.axis, shape.rank()), DTypeBytes(out.dtype()),
                  context.inputs[1].data, context.inputs[2].data, out.data, context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kOneHotKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
