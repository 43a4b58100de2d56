// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_RMS_NORM_H_
#define LINNET_VULKAN_ABI_RMS_NORM_H_
#include "glsl.h"
LINNET_ABI_BEGIN
// Constants: 1 threads per row.
struct RmsNormPush {
  uint rows;
  uint quads;    // vec4s of a row
  uint columns;  // elements of a row, without padding
  float epsilon;
};
LINNET_ABI_END
#endif
