// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/slice.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/strided_copy.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const auto& attrs = context.as<SliceAttrs>();
  const TensorView& in = context.inputs[0];
  if (context.outputs[0].num_elements() == 0) return {};
  const int64_t element_bytes = DTypeBytes(in.dtype());
  const Shape strides = kernels::DenseStrides(in.shape(), element_bytes);
  kernels::CopyBox box;
  const char* from = in.as<const char>();
  for (int i = 0; i < in.shape().rank(); ++i) {
    from += attrs.begin[i] * strides[i];
    // The stride of a single element may be any number, so multiplying it could overflow.
    box.Append(attrs.size[i], attrs.size[i] > 1 ? attrs.stride[i] * strides[i] : 0);
  }
  box.SetDenseDst(element_bytes);
  kernels::StridedCopy(box, element_bytes, from, context.outputs[0].data, context.parallel);
  return {};
}

}  // namespace

const PortableOp kSliceKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
