// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

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

// Threads that occupy a GPU (a phone's at least).
inline constexpr int64_t kManyThreads = 1024;

// The tile for `lines` lines of `rows` rows each, of `quads` quads. Tiles do not reach over the end
// of a line. At most `largest`, whose members are powers of two.
Tile TileFor(int64_t lines, int64_t rows, int64_t quads, Tile largest);

}  // namespace linnet::vulkan
