// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/tile.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/strided_copy.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const Shape& multiples = context.as<TileAttrs>().multiples;
  const TensorView& in = context.inputs[0];
  const int64_t element_bytes = DTypeBytes(in.dtype());
  const Shape strides = kernels::DenseStrides(in.shape(), element_bytes);
  kernels::CopyBox box;
  for (int i = 0; i < in.shape().rank(); ++i) {
    box.Append(multiples[i], 0);
    box.Append(in.shape()[i], strides[i]);
  }
  box.SetDenseDst(element_bytes);
  kernels::StridedCopy(box, element_bytes, in.data, context.outputs[0].data, context.parallel);
  return {};
}

}  // namespace

const PortableOp kTileKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
