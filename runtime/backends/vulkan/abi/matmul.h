// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_MATMUL_H_
#define LINNET_VULKAN_ABI_MATMUL_H_
#include "glsl.h"
// Dimensions of a batch whose strides differ, once neighbours are merged (ours).
#define LINNET_MATMUL_BATCH_RANK 4
#define LINNET_MATMUL_ROWS 4  // of the largest tile
// Specialisation constants: 1 rows of a thread's tile (1, 2 or 4; 4 if a is transposed), 2 quads of
// its rows (1 or 2), 3 whether a is transposed, 4 whether b is transposed, 5 whether there is a
// bias (floats only).
LINNET_ABI_BEGIN
struct MatmulPush {
  uint rows;                   // of a product
  uint depth;                  // terms of each sum
  uint columns;                // elements of a row of the product, without padding
  uint a_quads;                // of a row of a as it is stored
  uint b_quads;                // of a row of b as it is stored
  uint out_quads;              // of a row of the product
  uint row_tiles, quad_tiles;  // of a product
  uint batches;
  // Outermost dimension first; strides in quads, 0 where the operand is repeated.
  uint batch_dims[LINNET_MATMUL_BATCH_RANK];
  uint a_strides[LINNET_MATMUL_BATCH_RANK];
  uint b_strides[LINNET_MATMUL_BATCH_RANK];
  float min, max;  // floats only
};
LINNET_ABI_END
#endif
