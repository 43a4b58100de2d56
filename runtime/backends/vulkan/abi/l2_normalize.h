// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_L2_NORMALIZE_H_
#define LINNET_VULKAN_ABI_L2_NORMALIZE_H_
#include "glsl.h"
LINNET_ABI_BEGIN
// Constants: 1 threads per row.
struct L2NormalizePush {
  uint rows;
  uint quads;    // vec4s of a row
  uint columns;  // elements of a row, without padding
  float epsilon;
};
LINNET_ABI_END
#endif
