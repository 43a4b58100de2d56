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

// Threads that occupy a GPU (a phone's at least).
inline constexpr int64_t kManyThreads = 1024;

// The tile for `lines` lines of `rows` rows each, of `quads` quads. Tiles do not reach over the end
// of a line. At most `largest`, whose members are powers of two.
Tile TileFor(int64_t lines, int64_t rows, int64_t quads, Tile largest);

}  // namespace linnet::vulkan
