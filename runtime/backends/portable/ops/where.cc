// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/where.h"

#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/copy_bytes.h"
#include "runtime/ops/where.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const TensorView& in = context.inputs[0];
  auto* positions = context.outputs[0].as<int64_t>();
  const int64_t count =
      kernels::Where(in.dtype(), in.shape(), in.data, positions, context.parallel);
  if (context.parallel.Stopped()) return {};
  const int64_t used = count * in.shape().rank();
  const int64_t left = context.outputs[0].num_elements() - used;
  kernels::ZeroBytes(positions + used, left * int64_t{sizeof(*positions)}, context.parallel);
  *context.outputs[1].as<int32_t>() = static_cast<int32_t>(count);
  return {};
}

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

}  // namespace

const PortableOp kWhereKernel = {.why_unsupported = WhyUnsupported, .run = Run};

}  // namespace linnet::portable
