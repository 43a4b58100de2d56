// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/tile.h"

#include <gtest/gtest.h>

#include <vector>

namespace linnet::vulkan {
namespace {

TEST(TileFor, ReusesOperandsWhereThereAreManyThreads) {
  const Tile tile = TileFor(1, 56 * 56, 36, {.rows = 4, .quads = 2});
  EXPECT_EQ(tile.rows, 4);
  EXPECT_EQ(tile.quads, 2);
}

TEST(TileFor, MakesThreadsWhereThereAreFew) {
  const Tile tile = TileFor(1, 49, 10, {.rows = 4, .quads = 2});
  EXPECT_EQ(tile.rows, 1);
  EXPECT_EQ(tile.quads, 1);
}

TEST(TileFor, FitsShortLines) {
  EXPECT_EQ(TileFor(1000, 1, 64, {.rows = 4, .quads = 2}).rows, 1);
  EXPECT_EQ(TileFor(1000, 2, 64, {.rows = 4, .quads = 2}).rows, 2);
  EXPECT_EQ(TileFor(1000, 7, 64, {.rows = 4, .quads = 2}).rows, 4);
}

TEST(TileFor, WastesNoHalfOfFewQuads) {
  EXPECT_EQ(TileFor(1000, 100, 1, {.rows = 4, .quads = 2}).quads, 1);
  EXPECT_EQ(TileFor(1000, 100, 3, {.rows = 4, .quads = 2}).quads, 1);
  EXPECT_EQ(TileFor(1000, 100, 9, {.rows = 4, .quads = 2}).quads, 2);
}

// gemm.comp and conv2d.comp compute a thread's tile in this way.
TEST(Blocks, HaveEachTileOnce) {
  constexpr int64_t kLines = 3;
  for (int64_t quad_tiles = 1; quad_tiles < 200; ++quad_tiles) {
    const int64_t block = BlockOf(quad_tiles);
    std::vector<int> seen(kLines * quad_tiles);
    for (int64_t id = 0; id < kLines * InBlocks(quad_tiles); ++id) {
      const int64_t line = id / block, quad = id % block + line / kLines * block;
      if (quad < quad_tiles) ++seen[line % kLines * quad_tiles + quad];
    }
    for (const int count : seen) ASSERT_EQ(count, 1) << quad_tiles;
    EXPECT_LT(InBlocks(quad_tiles) - quad_tiles, block);
  }
}

}  // namespace
}  // namespace linnet::vulkan
