// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/transpose.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/strided_copy.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const Shape& perm = context.as<TransposeAttrs>().perm;
  const TensorView& in = context.inputs[0];
  const int64_t element_bytes = DTypeBytes(in.dtype());
  const Shape strides = kernels::DenseStrides(in.shape(), element_bytes);
  kernels::CopyBox box;
  for (int64_t axis : perm)
    box.Append(in.shape()[static_cast<int>(axis)], strides[static_cast<int>(axis)]);
  box.SetDenseDst(element_bytes);
  kernels::StridedCopy(box, element_bytes, in.data, context.outputs[0].data, context.parallel);
  return {};
}

}  // namespace

const PortableOp kTransposeKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
