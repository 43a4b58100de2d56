// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/cumulative.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/cumulative.h"

namespace linnet::portable {
namespace {

kernels::CumulativeKind KernelKind(schema::CumulativeKind kind) {
  switch (kind) {
    case schema::CumulativeKind::Product:
      return kernels::CumulativeKind::kProduct;
    case schema::CumulativeKind::LogSumExp:
      return kernels::CumulativeKind::kLogSumExp;
    default:
      return kernels::CumulativeKind::kSum;
  }
}

Status Run(const KernelContext& context) {
  const auto& attrs = context.as<CumulativeAttrs>();
  const TensorView& in = context.inputs[0];
  const Shape& shape = in.shape();
  const kernels::CumulativeJob job = {.kind = KernelKind(attrs.kind),
                                      .outer = shape.Product(0, attrs.axis),
                                      .count = shape[attrs.axis],
                                      .inner = shape.Product(attrs.axis + 1, shape.rank()),
                                      .exclusive = attrs.exclusive,
                                      .reverse = attrs.reverse};
  kernels::Cumulative(job, in.dtype(), in.data, context.outputs[0].data, context.parallel);
  return {};
}

}  // namespace

const PortableOp kCumulativeKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
