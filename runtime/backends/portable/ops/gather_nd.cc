// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/gather_nd.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/gather.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const int batch_dims = context.as<GatherNdAttrs>().batch_dims;
  const TensorView& params = context.inputs[0];
  const TensorView& indices = context.inputs[1];
  const Shape& shape = params.shape();
  const int depth = static_cast<int>(indices.shape().back());
  const kernels::GatherNdSizes sizes = {
      .batch = shape.Product(0, batch_dims),
      .dims = shape.begin() + batch_dims,
      .depth = depth,
      .count = indices.shape().Product(batch_dims, indices.shape().rank() - 1),
      .row_bytes = shape.Product(batch_dims + depth, shape.rank()) * DTypeBytes(params.dtype())};
  void* out = context.outputs[0].data;
  const bool in_range = indices.dtype() == DType::kInt32
                            ? kernels::GatherNdRows(sizes, params.data, indices.as<const int32_t>(),
                                                    out, context.parallel)
                            : kernels::GatherNdRows(sizes, params.data, indices.as<const int64_t>(),
                                                    out, context.parallel);
  if (!in_range) return {StatusCode::kBadIndex, "GatherNd: an index is out of range"};
  return {};
}

}  // namespace

const PortableOp kGatherNdKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
