// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/prelu.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/broadcast.h"
#include "runtime/kernels/unary.h"

namespace linnet::portable {
namespace {

void Row(const kernels::BroadcastRow& row, const void*) {
  kernels::Prelu(row.input<float>(0), row.input<float>(1), row.count, row.output<float>());
}

Status Run(const KernelContext& context) {
  const TensorView &x = context.inputs[0], &alpha = context.inputs[1], &out = context.outputs[0];
  const kernels::BroadcastInput inputs[] = {{x.shape(), x.data, 4}, {alpha.shape(), alpha.data, 4}};
  kernels::ForEachBroadcastRow(inputs, out.shape(), out.data, 4, Row, nullptr, context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kPreluKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
