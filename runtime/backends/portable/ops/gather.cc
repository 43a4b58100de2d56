// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/gather.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/gather.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const auto& attrs = context.as<GatherAttrs>();
  const TensorView& params = context.inputs[0];
  const TensorView& indices = context.inputs[1];
  const Shape& shape = params.shape();
  const kernels::GatherSizes sizes = {
      .batch = shape.Product(0, attrs.batch_dims),
      .outer = shape.Product(attrs.batch_dims, attrs.axis),
      .dim = shape[attrs.axis],
      .count = indices.shape().Product(attrs.batch_dims, indices.shape().rank()),
      .row_bytes = shape.Product(attrs.axis + 1, shape.rank()) * DTypeBytes(params.dtype())};
  void* out = context.outputs[0].data;
  const bool in_range = indices.dtype() == DType::kInt32
                            ? kernels::GatherRows(sizes, params.data, indices.as<const int32_t>(),
                                                  out, context.parallel)
                            : kernels::GatherRows(sizes, params.data, indices.as<const int64_t>(),
                                                  out, context.parallel);
  if (!in_range) return {StatusCode::kBadIndex, "Gather: an index is out of range"};
  return {};
}

}  // namespace

const PortableOp kGatherKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
