// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_POOL2D_H_
#define LINNET_VULKAN_ABI_POOL2D_H_
#include "glsl.h"
// A workgroup of pool2d_wide has 64 threads: this many quads, each as this many parts of a window.
#define LINNET_POOL2D_WIDE_QUADS 8
#define LINNET_POOL2D_WIDE_PARTS 8
// Specialisation constant of pool2d and pool2d_wide: 1 whether to average instead of taking the
// maximum.
LINNET_ABI_BEGIN
struct Pool2DPush {
  uint pixels;  // of the output, counted over the batch
  int in_h, in_w;
  uint quads;  // of a pixel
  uint out_h, out_w;
  uint columns;     // elements of a pixel, without padding
  uint quad_tiles;  // workgroups for one pixel (pool2d_wide)
  int window_h, window_w;
  int stride_h, stride_w;
  int pad_top, pad_left;
  float min, max;  // floats only
};
LINNET_ABI_END
#endif
