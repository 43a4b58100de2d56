// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/depth_to_space.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/strided_copy.h"

namespace linnet::portable {
namespace {

// [N, H, W, bh, bw, C] -> [N, H, bh, W, bw, C]
Status Run(const KernelContext& context) {
  const int64_t block = context.as<DepthToSpaceAttrs>().block;
  const TensorView& in = context.inputs[0];
  const int64_t element_bytes = DTypeBytes(in.dtype());
  const Shape strides = kernels::DenseStrides(in.shape(), element_bytes);
  const int64_t channels = context.outputs[0].shape()[3];
  kernels::CopyBox box;
  box.Append(in.shape()[0], strides[0]);
  box.Append(in.shape()[1], strides[1]);
  box.Append(block, block * channels * element_bytes);
  box.Append(in.shape()[2], strides[2]);
  box.Append(block, channels * element_bytes);
  box.Append(channels, element_bytes);
  box.SetDenseDst(element_bytes);
  kernels::StridedCopy(box, element_bytes, in.data, context.outputs[0].data, context.parallel);
  return {};
}

}  // namespace

const PortableOp kDepthToSpaceKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
