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

// The tile of up to `largest` quads that wastes nothing, or little because there are many.
int QuadsFor(int64_t quads, int largest) {
  int size = largest;
  while (size > 1 && quads % size != 0 && quads < int64_t{4} * size) size /= 2;
  return size;
}

}  // namespace

Tiles TilesOf(DeviceClass device_class) {
  // Threads for a phone's GPU at least.
  constexpr Tiles kUsual = {.product = {.rows = 4, .quads = 2},
                            .depthwise = {.rows = 2, .quads = 1},
                            .many_threads = 1024};
  // Four rows are 1.6 to 1.8 times as slow as two there (github.com/pytorch/executorch, pull
  // request 22781), and two outputs of a depthwise convolution 4 to 15 times (18293).
  constexpr Tiles kMali = {.product = {.rows = 2, .quads = 2},
                           .depthwise = {.rows = 1, .quads = 1},
                           .many_threads = 1024};
  // A card has room for many more: 270,336 on an H200, where 65536 instead of 1024 made nets up to
  // 5.5 times as fast (README.md, Tiles).
  constexpr Tiles kNvidia = {
      .product = kUsual.product, .depthwise = kUsual.depthwise, .many_threads = 65536};
  // A load costs more than many sums, threads are few, and barriers split a shader in two.
  constexpr Tiles kSoftware = {.product = {.rows = 8, .quads = 4},
                               .depthwise = {.rows = 4, .quads = 1},
                               .many_threads = 256,
                               .share_sums = false};
  switch (device_class) {
    case DeviceClass::kMali:
      return kMali;
    case DeviceClass::kNvidia:
      return kNvidia;
    case DeviceClass::kCpu:
      return kSoftware;
    default:
      return kUsual;
  }
}

bool IsFastInHalves(DeviceClass device_class) {
  switch (device_class) {
    // Twice as many per cycle, say the vendors.
    case DeviceClass::kAdreno:
    case DeviceClass::kMali:
    case DeviceClass::kPowerVr:
    case DeviceClass::kAmd:
    case DeviceClass::kIntel:
    case DeviceClass::kApple:
      return true;
    // Without tensor cores as many as of 32 bits, on some generations far fewer.
    case DeviceClass::kNvidia:
    // Lavapipe converts each to 32 bits and back.
    case DeviceClass::kCpu:
    case DeviceClass::kOther:
      return false;
  }
  return false;
}

Tile TileFor(int64_t lines, int64_t rows, int64_t quads, Tile largest, int64_t many_threads) {
  Tile tile = {RowsFor(rows, largest.rows), QuadsFor(quads, largest.quads)};
  const auto threads = [&] { return lines * tile.row_tiles(rows) * tile.quad_tiles(quads); };
  while (tile.quads > 1 && threads() < many_threads) tile.quads /= 2;
  while (tile.rows > 1 && threads() < many_threads) tile.rows /= 2;
  return tile;
}

}  // namespace linnet::vulkan
