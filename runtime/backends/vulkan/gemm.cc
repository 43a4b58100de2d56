// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/gemm.h"

#include "runtime/backends/vulkan/abi/gemm.h"
#include "runtime/backends/vulkan/abi/gemm_split.h"
#include "runtime/backends/vulkan/tile.h"

namespace linnet::vulkan {
namespace {

void LowerSplit(const Rows& out, const Filter& filter, const OutputRange& range,
                Dispatches& dispatches) {
  const Tile tile = {out.count >= 4 ? 4 : out.count >= 2 ? 2 : 1, LINNET_GEMM_SPLIT_QUADS};
  const int64_t quad_tiles = tile.quad_tiles(out.quads);
  Dispatch& dispatch =
      dispatches.Add(Shader::k_gemm_split, tile.row_tiles(out.count) * quad_tiles * kWorkgroupSize);
  BindFilter(dispatch);
  dispatch.Specialise(tile.rows);
  dispatch.Push(GemmSplitPush{.rows = static_cast<uint>(out.count),
                              .in_quads = static_cast<uint>(filter.in_quads()),
                              .out_quads = static_cast<uint>(out.quads),
                              .columns = static_cast<uint>(out.columns),
                              .quad_tiles = static_cast<uint>(quad_tiles),
                              .min = range.min,
                              .max = range.max});
}

}  // namespace

static_assert(LINNET_GEMM_SPLIT_QUADS * LINNET_GEMM_SPLIT_PARTS == kWorkgroupSize);

void LowerGemm(const OpInstance& op, const Filter& filter, const OutputRange& range,
               Dispatches& dispatches) {
  constexpr int64_t kManyTerms = 16;  // quads of a sum that is worth to be shared
  const Rows out = RowsOf(op.output(0));
  const Tiles& tiles = dispatches.tiles();
  const bool few = Tile{4, 1}.row_tiles(out.count) * out.quads < tiles.many_threads;
  if (few && tiles.share_sums && filter.in_quads() >= kManyTerms)
    return LowerSplit(out, filter, range, dispatches);
  const Tile tile = TileFor(1, out.count, out.quads, tiles.product, tiles.many_threads);
  const int64_t row_tiles = tile.row_tiles(out.count), quad_tiles = tile.quad_tiles(out.quads);
  Dispatch& dispatch = dispatches.Add(Shader::k_gemm, row_tiles * InBlocks(quad_tiles));
  BindFilter(dispatch);
  dispatch.Specialise(tile.rows);
  dispatch.Specialise(tile.quads);
  dispatch.Push(GemmPush{.rows = static_cast<uint>(out.count),
                         .in_quads = static_cast<uint>(filter.in_quads()),
                         .out_quads = static_cast<uint>(out.quads),
                         .columns = static_cast<uint>(out.columns),
                         .row_tiles = static_cast<uint>(row_tiles),
                         .quad_tiles = static_cast<uint>(quad_tiles),
                         .block = static_cast<uint>(BlockOf(quad_tiles)),
                         .min = range.min,
                         .max = range.max});
}

}  // namespace linnet::vulkan
