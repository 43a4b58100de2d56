// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_GEMM_H_
#define LINNET_VULKAN_ABI_GEMM_H_
#include "glsl.h"
// Specialisation constants: 1 rows of a thread's tile (1, 2, 4 or 8), 2 quads of its rows (1, 2 or
// 4).
LINNET_ABI_BEGIN
struct GemmPush {
  uint rows;
  uint in_quads;   // of a row
  uint out_quads;  // of a row
  uint columns;    // elements of a row of the output, without padding
  uint row_tiles, quad_tiles;
  uint block;  // of quad tiles: a block's threads run through all rows before the next block begins
  float min, max;
};
LINNET_ABI_END
#endif
