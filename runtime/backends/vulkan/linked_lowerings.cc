// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/lowering.h"

// Nothing else may stand in this file: see runtime/ops/linked_ops.h.
namespace linnet::vulkan {
namespace {

template <OpKind kKind>
constexpr const OpLowering* kRow = nullptr;
#define LINNET_LOWERING(name, file) \
  template <>                       \
  constexpr const OpLowering* kRow<OpKind::k##name> = &k##name##Lowering;
#include "runtime/backends/vulkan/lowerings.def"
#undef LINNET_LOWERING

}  // namespace

const OpLowering* const kLinkedLowerings[] = {
#define LINNET_OP(name, file) kRow<OpKind::k##name>,
#include "runtime/ops/op_list.def"
#undef LINNET_OP
};

}  // namespace linnet::vulkan
