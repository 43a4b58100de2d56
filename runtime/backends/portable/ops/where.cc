// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/where.h"

#include <algorithm>

#include "runtime/backends/portable/portable_op.h"
#include "runtime/ops/where.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const TensorView& in = context.inputs[0];
  auto* positions = context.outputs[0].as<int64_t>();
  const int64_t count =
      kernels::Where(in.dtype(), in.shape(), in.data, positions, context.parallel);
  if (context.parallel.Stopped()) return {};
  std::fill(positions + count * in.shape().rank(), positions + context.outputs[0].num_elements(),
            int64_t{0});
  *context.outputs[1].as<int32_t>() = static_cast<int32_t>(count);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kWhereKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
