// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/space_to_depth.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/strided_copy.h"

namespace linnet::portable {
namespace {

// [N, H, bh, W, bw, C] -> [N, H, W, bh, bw, C]
Status Run(const KernelContext& context) {
  const int64_t block = context.as<SpaceToDepthAttrs>().block;
  const TensorView& in = context.inputs[0];
  const int64_t element_bytes = DTypeBytes(in.dtype());
  const Shape strides = kernels::DenseStrides(in.shape(), element_bytes);
  const Shape& out_shape = context.outputs[0].shape();
  kernels::CopyBox box;
  box.Append(in.shape()[0], strides[0]);
  box.Append(out_shape[1], block * strides[1]);
  box.Append(out_shape[2], block * strides[2]);
  box.Append(block, strides[1]);
  box.Append(block, strides[2]);
  box.Append(in.shape()[3], strides[3]);
  box.SetDenseDst(element_bytes);
  kernels::StridedCopy(box, element_bytes, in.data, context.outputs[0].data, context.parallel);
  return {};
}

}  // namespace

const PortableOp kSpaceToDepthKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
