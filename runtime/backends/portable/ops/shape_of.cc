// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/shape_of.h"

#include "runtime/backends/portable/ops/any_dtype.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const Shape& shape = context.inputs[0].shape();
  const TensorView& out = context.outputs[0];
  for (int i = 0; i < shape.rank(); ++i) {
    if (out.dtype() == DType::kInt32)
      out.as<int32_t>()[i] = static_cast<int32_t>(shape[i]);
    else
      out.as<int64_t>()[i] = shape[i];
  }
  return {};
}

}  // namespace

const PortableOp kShapeOfKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
