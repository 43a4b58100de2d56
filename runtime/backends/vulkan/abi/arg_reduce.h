// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_ARG_REDUCE_H_
#define LINNET_VULKAN_ABI_ARG_REDUCE_H_
#include "glsl.h"
LINNET_ABI_BEGIN
// Constants: 1 threads that share a quad of the output, 2 whether the axis is the last dimension
// ("rows").
struct ArgReducePush {
  uint quads;        // vec4s of the output
  uint out_quads;    // of a row of the output
  uint out_columns;  // elements of a row of the output, without padding
  uint columns;      // of a row of the input
  uint positions;    // vec4s along the axis
  uint stride;       // vec4s from one position to the next
  uint min;          // 1 to look for the smallest
};
LINNET_ABI_END
#endif
