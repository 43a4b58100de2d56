// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_CONV2D_H_
#define LINNET_VULKAN_ABI_CONV2D_H_
#include "glsl.h"
// Specialisation constants: 1 pixels of a thread's tile, which lie in one row (1, 2, 4 or 8), 2
// quads of a pixel in it (1, 2 or 4; 1 with groups).
LINNET_ABI_BEGIN
struct Conv2DPush {
  uint images;
  int in_h, in_w;
  uint in_quads;  // of a pixel
  uint out_h;
  int out_w;
  uint out_quads;   // of a pixel
  uint columns;     // elements of an output pixel, without padding
  uint row_tiles;   // tiles along a row of the image
  uint quad_tiles;  // tiles for one set of pixels
  uint block;       // of quad tiles: a block's threads run through all pixels before the next block
                    // begins
  int kernel_h, kernel_w;
  int stride_h, stride_w;
  int dilation_h, dilation_w;
  int pad_top, pad_left;
  uint depth;     // input quads that an output quad reads of a pixel
  uint group_in;  // channels of a group
  uint group_out;
  float min, max;
};
LINNET_ABI_END
#endif
