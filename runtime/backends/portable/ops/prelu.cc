// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/prelu.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/broadcast.h"
#include "runtime/kernels/unary.h"

namespace linnet::portable {
namespace {

void Row(const kernels::BroadcastRow& row, const void*) {
  kernels::Prelu(row.input<float>(0), row.input<float>(1), 1, row.count, row.output<float>());
}

bool HasSlopePerChannel(const Shape& alpha, const Shape& out) {
  if (alpha.rank() == 0 || out.rank() == 0 || out.back() == 0) return false;
  return alpha.back() == out.back() && alpha.num_elements() == out.back();
}

Status Run(const KernelContext& context) {
  const TensorView &x = context.inputs[0], &alpha = context.inputs[1], &out = context.outputs[0];
  if (x.shape() == out.shape() && HasSlopePerChannel(alpha.shape(), out.shape())) {
    constexpr int64_t kGrain = 1 << 11;  // elements worth a thread
    const int64_t channels = out.shape().back();
    ParallelFor(context.parallel, out.num_elements() / channels, CeilDiv(kGrain, channels),
                [&](int64_t begin, int64_t end) {
                  kernels::Prelu(x.as<float>() + begin * channels, alpha.as<float>(), end - begin,
                                 channels, out.as<float>() + begin * channels);
                });
    return {};
  }
  const kernels::BroadcastInput inputs[] = {{x.shape(), x.data, 4}, {alpha.shape(), alpha.data, 4}};
  kernels::ForEachBroadcastRow(inputs, out.shape(), out.data, 4, Row, nullptr, context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kPreluKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
