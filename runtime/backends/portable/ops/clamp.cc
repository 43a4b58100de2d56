// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/clamp.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/unary.h"

namespace linnet::portable {
namespace {

constexpr int64_t kGrain = 1 << 11;  // elements worth a thread

Status Run(const KernelContext& context) {
  const OutputRange& range = context.as<ClampAttrs>().range;
  const float* in = context.inputs[0].as<float>();
  float* out = context.outputs[0].as<float>();
  ParallelFor(context.parallel, context.outputs[0].num_elements(), kGrain,
              [&](int64_t begin, int64_t end) {
                kernels::Clamp(in + begin, end - begin, range.min, range.max, out + begin);
              });
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kClampKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
