// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_CLAMP_H_
#define LINNET_VULKAN_ABI_CLAMP_H_
#include "glsl.h"
LINNET_ABI_BEGIN
struct ClampPush {
  uint quads;      // vec4s of the tensor
  uint row_quads;  // vec4s of a row
  uint columns;    // elements of a row, without padding
  float min, max;
};
LINNET_ABI_END
#endif
