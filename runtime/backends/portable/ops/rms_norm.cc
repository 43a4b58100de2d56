// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/rms_norm.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/normalize.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const Shape& shape = context.inputs[0].shape();
  const int64_t cols = shape.back(), rows = shape.Product(0, shape.rank() - 1);
  if (cols == 0) return {};
  const float* in = context.inputs[0].as<float>();
  float* out = context.outputs[0].as<float>();
  kernels::RmsNorm(in, context.inputs[1].as<float>(), context.as<RmsNormAttrs>().epsilon, rows,
                   cols, out, context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kRmsNormKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
