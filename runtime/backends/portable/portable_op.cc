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

const PortableOp* FindPortableOp(OpKind kind) { return FindLinked(kLinkedKernels, kind); }

}  // namespace linnet::portable
