// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/select.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/binary.h"
#include "runtime/kernels/broadcast.h"

namespace linnet::portable {
namespace {

void Row(const kernels::BroadcastRow& row, const void* bytes) {
  kernels::Select(row.input<uint8_t>(0), row.in[1], row.in[2], *static_cast<const int64_t*>(bytes),
                  row.count, row.out);
}

Status Run(const KernelContext& context) {
  const TensorView &condition = context.inputs[0], &a = context.inputs[1], &b = context.inputs[2];
  const TensorView& out = context.outputs[0];
  const int64_t bytes = DTypeBytes(out.dtype());
  const kernels::BroadcastInput inputs[] = {{condition.shape(), condition.data, 1},
                                            {a.shape(), a.data, bytes},
                                            {b.shape(), b.data, bytes}};
  kernels::ForEachBroadcastRow(inputs, out.shape(), out.data, bytes, Row, &bytes, context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kSelectKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
