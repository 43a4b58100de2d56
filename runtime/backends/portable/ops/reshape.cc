// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/reshape.h"

#include <cstring>

#include "runtime/backends/portable/ops/any_dtype.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const TensorView& out = context.outputs[0];
  const int64_t bytes = out.type.bytes();
  if (bytes > 0 && context.inputs[0].data != out.data)
    std::memmove(out.data, context.inputs[0].data, static_cast<size_t>(bytes));
  return {};
}

}  // namespace

const PortableOp kReshapeKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
