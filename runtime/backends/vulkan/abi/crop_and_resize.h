// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_CROP_AND_RESIZE_H_
#define LINNET_VULKAN_ABI_CROP_AND_RESIZE_H_
#include "glsl.h"
// Specialisation constant: 1 whether to take the nearest pixel instead of interpolating.
LINNET_ABI_BEGIN
struct CropAndResizePush {
  uint boxes;
  int images;
  int in_h, in_w;
  uint quads;  // of a pixel
  uint crop_h, crop_w;
  uint columns;  // elements of a pixel, without padding
  float extrapolation;
};
LINNET_ABI_END
#endif
