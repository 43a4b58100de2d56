// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_DEPTHWISE_CONV2D_H_
#define LINNET_VULKAN_ABI_DEPTHWISE_CONV2D_H_
#include "glsl.h"
// Specialisation constants: 1 pixels of a thread's tile, which lie in one row (1, 2 or 4), 2
// whether input channels make more than one output channel each, 3 the width of windows if the
// dilation is 1 and no channel makes several (at most LINNET_DEPTHWISE_KERNEL_W) or 0, 4 their
// stride along a row.
#define LINNET_DEPTHWISE_KERNEL_W 5
LINNET_ABI_BEGIN
struct DepthwiseConv2DPush {
  uint images;
  int in_h, in_w;
  uint in_quads;  // of a pixel
  uint out_h;
  int out_w;
  uint out_quads;  // of a pixel
  uint columns;    // elements of an output pixel, without padding
  uint row_tiles;  // tiles along a row of the image
  int kernel_h, kernel_w;
  int stride_h, stride_w;
  int dilation_h, dilation_w;
  int pad_top, pad_left;
  uint multiplier;  // output channels of an input channel
  float min, max;
};
LINNET_ABI_END
#endif
