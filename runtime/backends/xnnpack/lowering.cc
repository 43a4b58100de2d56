// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/xnnpack/lowering.h"

#include "runtime/ops/linked_ops.h"

namespace linnet::xnnpack {

const Lowering* FindLowering(OpKind kind) { return FindLinked(kLinkedLowerings, kind); }

}  // namespace linnet::xnnpack
