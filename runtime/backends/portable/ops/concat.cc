// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/concat.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/strided_copy.h"

namespace linnet::portable {
namespace {

// StridedCopy does nothing for an input that the plan has placed inside the output.
Status Run(const KernelContext& context) {
  const int axis = context.as<ConcatAttrs>().axis;
  const TensorView& out = context.outputs[0];
  if (out.num_elements() == 0) return {};
  const int64_t element_bytes = DTypeBytes(out.dtype());
  const int64_t outer = out.shape().Product(0, axis);
  const int64_t inner_bytes = out.shape().Product(axis + 1, out.shape().rank()) * element_bytes;
  const int64_t out_pitch = out.shape()[axis] * inner_bytes;
  auto* to = out.as<char>();
  for (const TensorView& in : context.inputs) {
    const int64_t in_pitch = in.shape()[axis] * inner_bytes;
    kernels::CopyBox box;
    box.Append(outer, in_pitch, out_pitch);
    box.Append(in_pitch / element_bytes, element_bytes, element_bytes);
    kernels::StridedCopy(box, element_bytes, in.data, to, context.parallel);
    to += in_pitch;
  }
  return {};
}

}  // namespace

const PortableOp kConcatKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
