// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_WINOGRAD_OUT_H_
#define LINNET_VULKAN_ABI_WINOGRAD_OUT_H_
#include "glsl.h"
// Specialisation constant: 1 pixels of a tile's side (2 or 4).
LINNET_ABI_BEGIN
struct WinogradOutPush {
  uint first;  // tile, counted through images and their rows of tiles
  uint tiles;  // from there on
  uint tiles_h, tiles_w;
  uint out_quads;
  uint columns;  // elements of a pixel, without padding
  uint out_h, out_w;
  float min, max;
};
LINNET_ABI_END
#endif
