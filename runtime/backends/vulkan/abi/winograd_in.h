// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_WINOGRAD_IN_H_
#define LINNET_VULKAN_ABI_WINOGRAD_IN_H_
#include "glsl.h"
// Specialisation constant: 1 pixels of a tile's side in the output (2 or 4).
LINNET_ABI_BEGIN
struct WinogradInPush {
  uint first;  // tile, counted through images and their rows of tiles
  uint tiles;  // from there on
  uint tiles_h, tiles_w;
  uint in_quads;
  int in_h, in_w;
  int pad_top, pad_left;
};
LINNET_ABI_END
#endif
