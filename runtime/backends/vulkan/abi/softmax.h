// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_SOFTMAX_H_
#define LINNET_VULKAN_ABI_SOFTMAX_H_
#include "glsl.h"
LINNET_ABI_BEGIN
// Constants: 1 threads per row, 2 whether the logarithm is wanted.
struct SoftmaxPush {
  uint rows;
  uint quads;    // vec4s of a row
  uint columns;  // elements of a row, without padding
};
LINNET_ABI_END
#endif
