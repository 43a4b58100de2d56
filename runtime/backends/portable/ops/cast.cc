// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/cast.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/cast.h"

namespace linnet::portable {
namespace {

constexpr int64_t kGrain = 1 << 12;  // elements worth a thread

Status Run(const KernelContext& context) {
  const TensorView &in = context.inputs[0], &out = context.outputs[0];
  const int64_t in_bytes = DTypeBytes(in.dtype()), out_bytes = DTypeBytes(out.dtype());
  ParallelFor(context.parallel, out.num_elements(), kGrain, [&](int64_t begin, int64_t end) {
    kernels::Cast(in.dtype(), in.as<uint8_t>() + begin * in_bytes, out.dtype(), end - begin,
                  out.as<uint8_t>() + begin * out_bytes);
  });
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kCastKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
