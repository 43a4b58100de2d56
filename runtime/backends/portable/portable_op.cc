// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/portable/portable_op.h"

#include "runtime/ops/linked_ops.h"

namespace linnet::portable {

Status RunKernel(const PortableOp& kernel, const KernelContext& context) {
  const Status status = kernel.run(context);
  // Takes precedence over a failure, which may be caused by work that was not done.
  if (context.parallel.Stopped()) return {StatusCode::kCancelled, "cancelled"};
  return status;
}

int64_t ScratchBytes(const PortableOp& kernel, const OpInstance& op, PacksWeights packs,
                     const Parallel& parallel) {
  if (!packs && kernel.plain_scratch_bytes != nullptr)
    return kernel.plain_scratch_bytes(op, parallel.threads);
  return kernel.scratch_bytes == nullptr ? 0 : kernel.scratch_bytes(op, parallel.threads);
}

const PortableOp* FindPortableOp(OpKind kind) { return FindLinked(kLinkedKernels, kind); }

}  // namespace linnet::portable
