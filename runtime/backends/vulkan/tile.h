// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/vulkan/device_class.h"

namespace linnet::vulkan {

// What one thread of a matrix product or a convolution computes: `rows` rows of the product (pixels
// of a row of the image), `quads` quads of each. Large tiles read operands less often, small ones
// give more threads.
struct Tile {
  int rows = 1;
  int quads = 1;

  int64_t row_tiles(int64_t count) const { return (count + rows - 1) / rows; }
  int64_t quad_tiles(int64_t count) const { return (count + quads - 1) / quads; }
};

// Quad tiles in a block of threads that runs through all rows before the next block begins, so that
// the weights of many quads are not read again from far away for each row.
constexpr int64_t BlockOf(int64_t quad_tiles) {
  constexpr int64_t kFew = 32, kWidth = 16;
  if (quad_tiles <= kFew) return quad_tiles;
  const int64_t blocks = (quad_tiles + kWidth - 1) / kWidth;
  return (quad_tiles + blocks - 1) / blocks;
}
// Threads for `quad_tiles` tiles in whole blocks.
constexpr int64_t InBlocks(int64_t quad_tiles) {
  const int64_t block = BlockOf(quad_tiles);
  return (quad_tiles + block - 1) / block * block;
}

// What a class of devices runs fast. Members of tiles are powers of two, at most 8 rows (of
// depthwise 4) and 4 quads.
struct Tiles {
  Tile product;    // the largest tile of matrix products and convolutions
  Tile depthwise;  // of depthwise convolutions, one quad
  // Threads that occupy the device: where larger tiles would give fewer, tiles are smaller.
  int64_t many_threads = 0;
  // Whether the threads of a workgroup should share long sums where many_threads is not reached.
  bool share_sums = true;
};
Tiles TilesOf(DeviceClass device_class);
// Whether such devices multiply floats of 16 bits faster than those of 32.
bool IsFastInHalves(DeviceClass device_class);

// The tile for `lines` lines of `rows` rows each, of `quads` quads. Tiles do not reach over the end
// of a line. At most `largest`; smaller where there would be fewer than `many_threads`.
Tile TileFor(int64_t lines, int64_t rows, int64_t quads, Tile largest, int64_t many_threads);

}  // namespace linnet::vulkan
