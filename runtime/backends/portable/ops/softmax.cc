// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/softmax.h"

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
  const auto softmax = context.as<SoftmaxAttrs>().log ? kernels::LogSoftmax : kernels::Softmax;
  softmax(in, rows, cols, out, context.parallel);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kSoftmaxKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
