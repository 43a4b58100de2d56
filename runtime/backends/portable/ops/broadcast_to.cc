// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/broadcast_to.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/strided_copy.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const TensorView& in = context.inputs[0];
  const TensorView& out = context.outputs[0];
  const int64_t element_bytes = DTypeBytes(in.dtype());
  const Shape strides = kernels::DenseStrides(in.shape(), element_bytes);
  const int added = out.shape().rank() - in.shape().rank();
  kernels::CopyBox box;
  for (int i = 0; i < out.shape().rank(); ++i) {
    const bool repeats = i < added || in.shape()[i - added] == 1;
    box.Append(out.shape()[i], repeats ? 0 : strides[i - added]);
  }
  box.SetDenseDst(element_bytes);
  kernels::StridedCopy(box, element_bytes, in.data, out.data, context.parallel);
  return {};
}

}  // namespace

const PortableOp kBroadcastToKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
