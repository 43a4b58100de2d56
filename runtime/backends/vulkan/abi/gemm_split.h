// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_GEMM_SPLIT_H_
#define LINNET_VULKAN_ABI_GEMM_SPLIT_H_
#include "glsl.h"
// A workgroup of 64 threads computes a tile: this many quads of some rows, each as this many parts
// of the sums.
#define LINNET_GEMM_SPLIT_QUADS 8
#define LINNET_GEMM_SPLIT_PARTS 8
// Specialisation constant: 1 rows of a tile (1, 2 or 4).
LINNET_ABI_BEGIN
struct GemmSplitPush {
  uint rows;
  uint in_quads;    // of a row
  uint out_quads;   // of a row
  uint columns;     // elements of a row of the output, without padding
  uint quad_tiles;  // tiles in a row of tiles
  float min, max;
};
LINNET_ABI_END
#endif
