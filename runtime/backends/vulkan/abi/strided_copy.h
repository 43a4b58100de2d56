// SPDX-License-Identifier: Apache-2.0
// Moves elements of one tensor to an output or to a part of one. Constants: 1 the mode; 2 the
// number of dimensions; 3 whether the rows are part of longer rows of the output, of which other
// elements stay (1), of which they are the end (2), or neither (0).
#ifndef LINNET_VULKAN_ABI_STRIDED_COPY_H_
#define LINNET_VULKAN_ABI_STRIDED_COPY_H_
#include "glsl.h"
LINNET_ABI_BEGIN
struct StridedCopyPush {
  uint quads;      // vec4s that are written, whole or in part
  uint row_quads;  // of a row
  uint columns;    // elements of a row
  // Where a row begins in its first vec4, 0 to 3.
  uint first;
  // Where the rows go: vec4s of the output before the first one, from a row to the next, and from
  // each `block_rows` rows to the next.
  uint to, to_row, block_rows, to_block;
  int from;  // the source's element that comes first
  // The dimensions of what is moved, innermost first, and how many elements of the source a step
  // along them is.
  uint extent[6];
  int stride[6];
};
// Innermost is a row, and is ...
const uint kCopyQuads = 0;     // ... contiguous in the source, all of whose rows begin at vec4s
const uint kCopyElements = 1;  // ... a dimension with any stride
const uint kCopySpread = 2;    // ... part of a row, which consists of several dimensions
LINNET_ABI_END
#endif
