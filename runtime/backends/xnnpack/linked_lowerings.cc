// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/xnnpack/lowering.h"

// Nothing else may stand in this file: see runtime/ops/linked_ops.h.
namespace linnet::xnnpack {
namespace {

template <OpKind kKind>
constexpr const Lowering* kRow = nullptr;
#define LINNET_LOWERING(name, file) \
  template <>                       \
  constexpr const Lowering* kRow<OpKind::k##name> = &k##name##Lowering;
#include "runtime/backends/xnnpack/lowerings.def"
#undef LINNET_LOWERING

}  // namespace

const Lowering* const kLinkedLowerings[] = {
#define LINNET_OP(name, file) kRow<OpKind::k##name>,
#include "runtime/ops/op_list.def"
#undef LINNET_OP
};

}  // namespace linnet::xnnpack
