// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/lowering.h"

namespace linnet::vulkan {

const OpLowering* FindLowering(OpKind kind) {
  switch (kind) {
#define LINNET_LOWERING(name, file) \
  case OpKind::k##name:             \
    return &k##name##Lowering;
#include "runtime/backends/vulkan/lowerings.def"
#undef LINNET_LOWERING
    default:
      return nullptr;
  }
}

}  // namespace linnet::vulkan
