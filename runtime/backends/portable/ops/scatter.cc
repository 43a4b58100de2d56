// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/scatter.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/copy_bytes.h"
#include "runtime/kernels/scatter.h"

namespace linnet::portable {
namespace {

kernels::ScatterKind KernelKind(schema::ScatterKind kind) {
  switch (kind) {
    case schema::ScatterKind::Add:
      return kernels::ScatterKind::kAdd;
    case schema::ScatterKind::Sub:
      return kernels::ScatterKind::kSub;
    case schema::ScatterKind::Mul:
      return kernels::ScatterKind::kMul;
    case schema::ScatterKind::Max:
      return kernels::ScatterKind::kMax;
    case schema::ScatterKind::Min:
      return kernels::ScatterKind::kMin;
    default:
      return kernels::ScatterKind::kUpdate;
  }
}

Status Run(const KernelContext& context) {
  const auto& attrs = context.as<ScatterAttrs>();
  const TensorView &base = context.inputs[0], &indices = context.inputs[1],
                   &out = context.outputs[0];
  const Shape& shape = base.shape();
  if (out.data != base.data)
    kernels::CopyBytes(base.data, out.data, base.type.bytes(), context.parallel);
  const int depth = static_cast<int>(indices.shape().back());
  const kernels::ScatterJob job = {.kind = KernelKind(attrs.kind),
                                   .skip_negative = attrs.skip_negative,
                                   .dims = shape.begin(),
                                   .depth = depth,
                                   .count = indices.shape().Product(0, indices.shape().rank() - 1),
                                   .row = shape.Product(depth, shape.rank())};
  const void* updates = context.inputs[2].data;
  const bool in_range = indices.dtype() == DType::kInt32
                            ? kernels::ScatterRows(job, base.dtype(), indices.as<const int32_t>(),
                                                   updates, out.data, context.parallel)
                            : kernels::ScatterRows(job, base.dtype(), indices.as<const int64_t>(),
                                                   updates, out.data, context.parallel);
  if (!in_range) return {StatusCode::kBadIndex, "Scatter: an index is out of range"};
  return {};
}

}  // namespace

const PortableOp kScatterKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
