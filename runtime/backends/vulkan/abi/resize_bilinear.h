// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_RESIZE_BILINEAR_H_
#define LINNET_VULKAN_ABI_RESIZE_BILINEAR_H_
#include "glsl.h"
// Values of specialisation constant 1 of the resize_* shaders: how positions are computed
// (runtime/ops/resize.h).
#define LINNET_RESIZE_LEGACY 0
#define LINNET_RESIZE_ALIGN_CORNERS 1
#define LINNET_RESIZE_HALF_PIXEL 2
LINNET_ABI_BEGIN
struct ResizePush {
  uint pixels;  // of the output, counted over the batch
  int in_h, in_w;
  uint quads;  // of a pixel
  uint out_h, out_w;
  float scale_h, scale_w;  // input pixels for an output pixel
};
LINNET_ABI_END
#endif
