// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_INDEX_CHECK_H_
#define LINNET_VULKAN_ABI_INDEX_CHECK_H_
#include "glsl.h"
LINNET_ABI_BEGIN
struct IndexCheckPush {
  uint quads;       // vec4s of the tensor
  uint row_quads;   // of a row
  uint columns;     // elements of a row
  uint count;       // up to 2^31
  uint bad_inside;  // bad are the elements in [0, count): 1, or all others: 0
};
LINNET_ABI_END
#endif
