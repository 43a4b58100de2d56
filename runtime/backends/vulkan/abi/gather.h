// SPDX-License-Identifier: Apache-2.0
// Constants: 1 whether whole rows are gathered (1) or single elements of rows (0), 2 whether rows
// of indices have padding.
#ifndef LINNET_VULKAN_ABI_GATHER_H_
#define LINNET_VULKAN_ABI_GATHER_H_
#include "glsl.h"
LINNET_ABI_BEGIN
// The output is [batch, outer, count, inner], the source [batch, outer, dim, inner], the indices
// [batch, count] are rows of `index_columns` elements.
struct GatherPush {
  uint quads;      // vec4s of the output
  uint row_quads;  // of a row of the output
  uint columns;    // elements of a row of the output
  uint outer, count, dim;
  uint inner_rows;  // rows of `inner`; 1 for single elements
  uint from_row;    // elements of a row of the source, with padding
  uint index_columns;
  uint index_row;  // elements of a row of indices, with padding
};
LINNET_ABI_END
#endif
