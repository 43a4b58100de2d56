// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_ELEMENTWISE_CHAIN_H_
#define LINNET_VULKAN_ABI_ELEMENTWISE_CHAIN_H_
#include "epilogue.h"  // its specialisation constants
LINNET_ABI_BEGIN
struct ElementwiseChainPush {
  uint quads;      // vec4s of the tensor
  uint row_quads;  // vec4s of a row
  uint columns;    // elements of a row, without padding
};
LINNET_ABI_END
#endif
