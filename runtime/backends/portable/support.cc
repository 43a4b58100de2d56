// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/portable/support.h"

#include "runtime/backends/portable/portable_op.h"

namespace linnet::portable {

const char* WhyUnsupported(const OpInstance& op) {
  const PortableOp* kernel = FindPortableOp(op.kind);
  if (kernel == nullptr) return "this program has no portable kernel for the op";
  return kernel->why_unsupported == nullptr ? nullptr : kernel->why_unsupported(op);
}

}  // namespace linnet::portable
