// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/tile.h"

namespace linnet::vulkan {
namespace {

// The tile of up to `largest` rows with the least work for a line: each tile costs its rows,
// whether they exist or not, and what it reads for all of them.
int RowsFor(int64_t rows, int largest) {
  int best = largest;
  int64_t least = INT64_MAX;
  for (int size = largest; size >= 1; size /= 2) {
    const int64_t work = (rows + size - 1) / size * (size + 1);
    if (work < least) best = size;
    if (work < least) least = work;
  }
  return best;
}

}  // namespace

Tile TileFor(int64_t lines, int64_t rows, int64_t quads, Tile largest) {
  constexpr int64_t kManyQuads = 8;  // where half a tile that is wasted does not matter
  Tile tile = {RowsFor(rows, largest.rows), 1};
  if (largest.quads == 2 && (quads % 2 == 0 || quads >= kManyQuads)) tile.quads = 2;
  const auto threads = [&] { return lines * tile.row_tiles(rows) * tile.quad_tiles(quads); };
  if (threads() < kManyThreads) tile.quads = 1;
  while (tile.rows > 1 && threads() < kManyThreads) tile.rows /= 2;
  return tile;
}

}  // namespace linnet::vulkan
