// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/portable/portable_op.h"

#include <iterator>

namespace linnet::portable {
namespace {

constexpr const PortableOp* kKernels[] = {
#define LINNET_OP(name, file) &k##name##Kernel,
#include "runtime/ops/op_list.def"
#undef LINNET_OP
};

}  // namespace

Status RunKernel(const PortableOp& kernel, const KernelContext& context) {
  const Status status = kernel.run(context);
  // Takes precedence over a failure, which may be caused by work that was not done.
  if (context.parallel.Stopped()) return {StatusCode::kCancelled, "cancelled"};
  return status;
}

const PortableOp* FindPortableOp(OpKind kind) {
  const auto index = static_cast<size_t>(kind);
  return index < std::size(kKernels) ? kKernels[index] : nullptr;
}

}  // namespace linnet::portable
