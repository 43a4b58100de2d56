// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/tile.h"

#include <gtest/gtest.h>

#include <vector>

namespace linnet::vulkan {
namespace {

constexpr int64_t kMany = 1024;

TEST(TilesOf, FitShaders) {
  for (int i = 0; i <= static_cast<int>(DeviceClass::kCpu); ++i) {
    const Tiles tiles = TilesOf(static_cast<DeviceClass>(i));
    for (const Tile& tile : {tiles.product, tiles.depthwise}) {
      EXPECT_EQ(tile.rows & (tile.rows - 1), 0) << i;
      EXPECT_TRUE(tile.quads == 1 || tile.quads == 2 || tile.quads == 4) << i;
    }
    EXPECT_TRUE(tiles.product.rows >= 1 && tiles.product.rows <= 8) << i;
    EXPECT_TRUE(tiles.depthwise.rows >= 1 && tiles.depthwise.rows <= 4) << i;
    EXPECT_EQ(tiles.depthwise.quads, 1) << i;
    EXPECT_GE(tiles.many_threads, 1) << i;
  }
}

TEST(TilesOf, DependOnTheDevice) {
  EXPECT_LT(TilesOf(DeviceClass::kMali).product.rows, TilesOf(DeviceClass::kAdreno).product.rows);
  EXPECT_LT(TilesOf(DeviceClass::kAdreno).product.rows, TilesOf(DeviceClass::kCpu).product.rows);
  EXPECT_LT(TilesOf(DeviceClass::kAdreno).many_threads, TilesOf(DeviceClass::kNvidia).many_threads);
}

// Software drivers convert each number; graphics cards of NVIDIA gain nothing.
TEST(IsFastInHalves, DependsOnTheDevice) {
  EXPECT_TRUE(IsFastInHalves(DeviceClass::kAdreno));
  EXPECT_TRUE(IsFastInHalves(DeviceClass::kMali));
  EXPECT_FALSE(IsFastInHalves(DeviceClass::kCpu));
  EXPECT_FALSE(IsFastInHalves(DeviceClass::kNvidia));
  EXPECT_FALSE(IsFastInHalves(DeviceClass::kOther));
}

TEST(TileFor, ReusesOperandsWhereThereAreManyThreads) {
  const Tile tile = TileFor(1, 56 * 56, 36, {.rows = 4, .quads = 2}, kMany);
  EXPECT_EQ(tile.rows, 4);
  EXPECT_EQ(tile.quads, 2);
}

TEST(TileFor, MakesThreadsWhereThereAreFew) {
  const Tile tile = TileFor(1, 49, 10, {.rows = 4, .quads = 2}, kMany);
  EXPECT_EQ(tile.rows, 1);
  EXPECT_EQ(tile.quads, 1);
}

TEST(TileFor, NeedsFewerThreadsWhereFewAreMany) {
  const Tile tile = TileFor(1, 49, 40, {.rows = 8, .quads = 2}, 128);
  EXPECT_EQ(tile.rows, 8);
  EXPECT_EQ(tile.quads, 2);
}

TEST(TileFor, FitsShortLines) {
  EXPECT_EQ(TileFor(1000, 1, 64, {.rows = 4, .quads = 2}, kMany).rows, 1);
  EXPECT_EQ(TileFor(1000, 2, 64, {.rows = 4, .quads = 2}, kMany).rows, 2);
  EXPECT_EQ(TileFor(1000, 7, 64, {.rows = 4, .quads = 2}, kMany).rows, 4);
}

TEST(TileFor, WastesNoHalfOfFewQuads) {
  EXPECT_EQ(TileFor(1000, 100, 1, {.rows = 4, .quads = 2}, kMany).quads, 1);
  EXPECT_EQ(TileFor(1000, 100, 3, {.rows = 4, .quads = 2}, kMany).quads, 1);
  EXPECT_EQ(TileFor(1000, 100, 6, {.rows = 4, .quads = 4}, kMany).quads, 2);
  EXPECT_EQ(TileFor(1000, 100, 17, {.rows = 4, .quads = 4}, kMany).quads, 4);
  EXPECT_EQ(TileFor(1000, 100, 9, {.rows = 4, .quads = 2}, kMany).quads, 2);
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
