// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_UNPACK_OUT_H_
#define LINNET_VULKAN_ABI_UNPACK_OUT_H_
#include "glsl.h"
LINNET_ABI_BEGIN
// constant_id 1: bytes of a dense element: 1, 4 or 8, which are integers
struct UnpackOutPush {
  uint elements;   // of the tensor, without padding
  uint row_quads;  // quads of a row
  uint columns;    // elements of a row, without padding
};
LINNET_ABI_END
#endif
