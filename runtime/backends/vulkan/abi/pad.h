// SPDX-License-Identifier: Apache-2.0
// Constants: 1 the mode, a value of schema PadMode; 2 the number of dimensions; 3 whether only
// dimensions other than the innermost are padded.
#ifndef LINNET_VULKAN_ABI_PAD_H_
#define LINNET_VULKAN_ABI_PAD_H_
#include "glsl.h"
LINNET_ABI_BEGIN
struct PadPush {
  uint quads;      // vec4s of the output
  uint row_quads;  // of a row of the output
  uint columns;    // elements of a row of the output
  uint value;      // bits of the elements of a constant border
  // Dimensions of output and input, innermost first, what is added before, and how many elements of
  // the input a step is.
  uint out_extent[6];
  uint in_extent[6];
  uint before[6];
  uint stride[6];
};
const uint kPadConstant = 0;
const uint kPadReflect = 1;
const uint kPadSymmetric = 2;
LINNET_ABI_END
#endif
