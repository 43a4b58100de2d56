// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/reshape.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/copy_bytes.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const TensorView& out = context.outputs[0];
  if (context.inputs[0].data != out.data)
    kernels::CopyBytes(context.inputs[0].data, out.data, out.type.bytes(), context.parallel);
  return {};
}

}  // namespace

const PortableOp kReshapeKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
