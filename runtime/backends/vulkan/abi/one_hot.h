// SPDX-License-Identifier: Apache-2.0
// Constants: 1 whether the new dimension is the last one.
#ifndef LINNET_VULKAN_ABI_ONE_HOT_H_
#define LINNET_VULKAN_ABI_ONE_HOT_H_
#include "glsl.h"
LINNET_ABI_BEGIN
struct OneHotPush {
  uint quads;      // vec4s of the output
  uint row_quads;  // of a row of the output
  uint columns;    // elements of a row of the output
  uint depth;
  uint inner_rows;     // rows of indices for one place before the new dimension
  uint index_quads;    // vec4s of a row of indices
  uint index_columns;  // elements of a row of indices
};
LINNET_ABI_END
#endif
