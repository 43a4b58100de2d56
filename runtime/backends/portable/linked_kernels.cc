// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/portable/portable_op.h"

// Nothing else may stand in this file: see runtime/ops/linked_ops.h.
namespace linnet::portable {

const PortableOp* const kLinkedKernels[] = {
#define LINNET_OP(name, file) &k##name##Kernel,
#include "runtime/ops/op_list.def"
#undef LINNET_OP
};

}  // namespace linnet::portable
