// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/linked_ops.h"

#include <iterator>

namespace linnet {

const OpDef* const kLinkedOps[] = {
#define LINNET_OP(name, file) &k##name##Op,
#include "runtime/ops/op_list.def"
#undef LINNET_OP
};
const int kNumLinkedOps = static_cast<int>(std::size(kLinkedOps));

}  // namespace linnet
