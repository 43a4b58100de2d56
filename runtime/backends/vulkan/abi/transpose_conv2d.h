// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_TRANSPOSE_CONV2D_H_
#define LINNET_VULKAN_ABI_TRANSPOSE_CONV2D_H_
#include "glsl.h"
#define LINNET_TRANSPOSE_CONV2D_PIXELS 4  // of the largest tile
// Specialisation constants: 1 pixels of a thread's tile (1, 2 or 4), 2 quads of a pixel in it (1 or
// 2).
LINNET_ABI_BEGIN
struct TransposeConv2DPush {
  uint images;
  int in_h, in_w;
  uint in_quads;  // of a pixel
  uint out_h;
  int out_w;
  uint out_quads;    // of a pixel
  uint columns;      // elements of an output pixel, without padding
  uint phases;       // of columns: those of a phase meet the same columns of the filter
  uint phase_tiles;  // tiles in a row of the image of one phase
  uint quad_tiles;   // tiles for one set of pixels
  int kernel_h, kernel_w;
  int stride_h, stride_w;
  int dilation_h, dilation_w;
  int pad_top, pad_left;
  int step_h, step_w;  // from a tap that meets an output pixel to the next one
  int back_h, back_w;  // input pixels that such a step goes back
  float min, max;
};
LINNET_ABI_END
#endif
