// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_WINOGRAD_PRODUCT_H_
#define LINNET_VULKAN_ABI_WINOGRAD_PRODUCT_H_
#include "glsl.h"
// Specialisation constants: 1 rows of a thread's tile (1, 2, 4 or 8), 2 quads of its rows (1, 2 or
// 4).
LINNET_ABI_BEGIN
struct WinogradProductPush {
  uint matrices;
  uint rows;  // of each matrix
  uint in_quads, out_quads;
  uint row_tiles, quad_tiles;
  uint block;   // of quad tiles, as in GemmPush
  uint blocks;  // of one matrix
};
LINNET_ABI_END
#endif
