// SPDX-License-Identifier: Apache-2.0
// Constants: 1 whether whole rows are gathered (1) or single elements of rows (0), 2 how many
// indices name a place.
#ifndef LINNET_VULKAN_ABI_GATHER_ND_H_
#define LINNET_VULKAN_ABI_GATHER_ND_H_
#include "glsl.h"
LINNET_ABI_BEGIN
// The output is [batch, count, inner], the source [batch, dims, inner]; each of the [batch, count]
// rows of indices names a place in dims.
struct GatherNdPush {
  uint quads;      // vec4s of the output
  uint row_quads;  // of a row of the output
  uint columns;    // elements of a row of the output
  uint count;
  uint inner_rows;   // rows of `inner`; 1 for single elements
  uint from_row;     // elements of a row of the source, with padding
  uint index_quads;  // of a row of indices
  uint dims[8];
};
LINNET_ABI_END
#endif
