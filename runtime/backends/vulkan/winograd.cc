// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/winograd.h"

#include <algorithm>
#include <cstring>

#include "runtime/backends/vulkan/abi/filter.h"
#include "runtime/backends/vulkan/abi/winograd_in.h"
#include "runtime/backends/vulkan/abi/winograd_out.h"
#include "runtime/backends/vulkan/abi/winograd_product.h"
#include "runtime/backends/vulkan/filter.h"
#include "runtime/backends/vulkan/pack_rows4.h"
#include "runtime/core/checked.h"
#include "runtime/core/winograd.h"
#include "runtime/ops/conv2d.h"
#include "runtime/ops/window.h"

namespace linnet::vulkan {
namespace {

constexpr int kKernel = kWinogradKernel;
constexpr int64_t kPanel = int64_t{4} * LINNET_FILTER_PANEL;
constexpr int64_t kQuadBytes = 4 * sizeof(float);  // in scratch memory, whatever the layout
constexpr int64_t kStripBytes = int64_t{4} << 20;  // of scratch memory, about
constexpr int64_t kMostScratchBytes = int64_t{16} << 20;
constexpr int64_t kMostStrips = kMaxDispatches / 3;

// How one Conv2D runs.
struct Winograd {
  int outputs = 0;  // pixels of a tile's side; 0: not by this method
  int64_t tiles_h = 0, tiles_w = 0;
  int64_t tiles = 0;  // of all images
  int64_t strip = 0;  // tiles that are processed together
  int64_t in_quads = 0, out_quads = 0;

  int64_t matrices() const { return WinogradMatrices(outputs); }
  // Of the matrices of `count` tiles.
  int64_t InBytes(int64_t count) const { return matrices() * count * in_quads * kQuadBytes; }
  int64_t OutBytes(int64_t count) const { return matrices() * count * out_quads * kQuadBytes; }
  int64_t OutOffset() const { return AlignUp(InBytes(strip), kWindowAlignment); }
  int64_t scratch_bytes() const { return OutOffset() + OutBytes(strip); }

  // Floats of the packed filter: a filter of one tap for each matrix.
  int64_t matrix_floats() const { return in_quads * 4 * out_quads * 4; }
  int64_t BiasOffset(Layout layout) const {
    return AlignUp(matrices() * matrix_floats() * FloatBytes(layout), kWindowAlignment);
  }
  int64_t BiasBytes(Layout layout) const { return out_quads * 4 * FloatBytes(layout); }
};

bool HasWindow(const OpInstance& op) {
  const auto& a = op.as<Conv2DAttrs>();
  const Shape& filter = op.input(1).shape;
  return filter[1] == kKernel && filter[2] == kKernel && a.groups == 1 && a.stride_h == 1 &&
         a.stride_w == 1 && a.dilation_h == 1 && a.dilation_w == 1;
}

Winograd Tiled(const OpInstance& op, int outputs) {
  const Shape& out = op.output(0).shape;
  Winograd w;
  w.outputs = outputs;
  w.in_quads = RowsOf(op.input(0)).quads;
  w.out_quads = RowsOf(op.output(0)).quads;
  w.tiles_h = CeilDiv(out[1], outputs);
  w.tiles_w = CeilDiv(out[2], outputs);
  w.tiles = out[0] * w.tiles_h * w.tiles_w;
  // Strips of equal size, of whole tiles of threads.
  const int64_t strips = std::clamp<int64_t>(
      CeilDiv(w.InBytes(w.tiles) + w.OutBytes(w.tiles), kStripBytes), 1, kMostStrips);
  w.strip = std::min(w.tiles, AlignUp(CeilDiv(w.tiles, strips), 8));
  return w;
}

// Whether tiles of 4 x 4 pixels are better than those of 2 x 2: they need fewer multiplications,
// but a filter that is more than twice as large, which few tiles do not repay.
bool ArePreferred(const Winograd& four, const Winograd& two) {
  constexpr int64_t kFewTiles = 4, kManyTiles = 32, kSmallFilter = int64_t{1} << 20;
  if (four.tiles < kFewTiles || four.matrices() * four.tiles > two.matrices() * two.tiles)
    return false;
  return four.tiles >= kManyTiles ||
         four.matrices() * four.matrix_floats() * int64_t{sizeof(float)} <= kSmallFilter;
}

// `op` must be one that Vulkan can run. A pure function of types and attributes. On lavapipe layers
// with 16 channels or more were faster than without this method whatever their size, with few
// channels by a tenth, with many up to threefold.
Winograd WinogradOf(const OpInstance& op, Layout layout) {
  constexpr int64_t kFewChannels = 16;
  const Shape& out = op.output(0).shape;
  if (!HasWindow(op) || out.num_elements() == 0 || op.input(0).shape.back() < kFewChannels ||
      out.back() < kFewChannels)
    return {};
  Winograd w = Tiled(op, 2);
  // A filter for tiles of 4 x 4 that is rounded to 11 bits has errors of six times its own; for
  // tiles of 2 x 2 they are hardly larger.
  if (const Winograd four = Tiled(op, 4); layout != Layout::kRows4Half && ArePreferred(four, w))
    w = four;
  // Half as many multiplications again as counted, for the transforms.
  const bool pays = w.matrices() * w.tiles * 3 <= kWinogradTaps * out.Product(0, 3) * 2;
  if (!pays || w.scratch_bytes() > kMostScratchBytes ||
      w.BiasOffset(layout) + w.BiasBytes(layout) > kMaxWindowBytes)
    return {};
  return w;
}

int64_t ScratchBytes(const OpInstance& op, Layout layout) {
  const Winograd w = WinogradOf(op, layout);
  return w.outputs == 0 ? 0 : w.scratch_bytes();
}

int64_t PackedBytes(const OpInstance& op, Layout layout) {
  const Winograd w = WinogradOf(op, layout);
  return w.BiasOffset(layout) + w.BiasBytes(layout);
}

void Pack(const OpInstance& op, Layout layout, std::byte* to) {
  const Winograd w = WinogradOf(op, layout);
  const int64_t outputs = op.output(0).shape.back(), inputs = op.input(0).shape.back();
  const int64_t padded = w.out_quads * 4, bytes = FloatBytes(layout);
  const float* weights = FloatsOf(op, 1);
  for (int64_t first = 0; first < padded; first += kPanel) {
    const int64_t row = std::min(kPanel, padded - first);
    for (int64_t k = 0; k < w.in_quads * 4; ++k) {
      float values[kMostWinogradMatrices][kPanel] = {};
      for (int64_t o = 0; k < inputs && o < row && first + o < outputs; ++o) {
        const float* from = weights + (first + o) * kWinogradTaps * inputs + k;
        double taps[kWinogradTaps];
        for (int t = 0; t < kWinogradTaps; ++t) taps[t] = from[t * inputs];
        TransformWinogradWindow(w.outputs, taps, [&](int i, const double& value) {
          values[i][o] = static_cast<float>(value);
        });
      }
      const int64_t at = first * w.in_quads * 4 + k * row;
      for (int64_t i = 0; i < w.matrices(); ++i)
        PackFloats(layout, values[i], row, to + (i * w.matrix_floats() + at) * bytes);
    }
  }
  const int64_t end = w.matrices() * w.matrix_floats() * bytes;
  std::memset(to + end, 0, static_cast<size_t>(w.BiasOffset(layout) - end));
  PackRow(FloatsOf(op, 2), outputs, layout, to + w.BiasOffset(layout));
}

void AddIn(const OpInstance& op, const Winograd& w, int64_t first, int64_t count,
           Dispatches& dispatches) {
  const Shape& in = op.input(0).shape;
  const Conv2DAttrs a = WithPads(op.as<Conv2DAttrs>(), in[1], in[2], kKernel, kKernel);
  Dispatch& dispatch = dispatches.Add(Shader::k_winograd_in, count * w.in_quads);
  dispatch.Bind(Input(0));
  dispatch.Bind(Scratch(0, w.InBytes(count), true));
  dispatch.Specialise(w.outputs);
  dispatch.Push(WinogradInPush{.first = static_cast<uint>(first),
                               .tiles = static_cast<uint>(count),
                               .tiles_h = static_cast<uint>(w.tiles_h),
                               .tiles_w = static_cast<uint>(w.tiles_w),
                               .in_quads = static_cast<uint>(w.in_quads),
                               .in_h = static_cast<int>(in[1]),
                               .in_w = static_cast<int>(in[2]),
                               .pad_top = a.pad_top,
                               .pad_left = a.pad_left});
}

void AddProduct(const Winograd& w, Layout layout, int64_t count, Dispatches& dispatches) {
  const Tiles& tiles = dispatches.tiles();
  const Tile tile = TileFor(w.matrices(), count, w.out_quads, tiles.product, tiles.many_threads);
  const int64_t row_tiles = tile.row_tiles(count), quad_tiles = tile.quad_tiles(w.out_quads);
  const int64_t in_blocks = InBlocks(quad_tiles), block = BlockOf(quad_tiles);
  Dispatch& dispatch =
      dispatches.Add(Shader::k_winograd_product, w.matrices() * row_tiles * in_blocks);
  Operand filters = Packed();
  filters.bytes = w.matrices() * w.matrix_floats() * FloatBytes(layout);
  dispatch.Bind(Scratch(0, w.InBytes(count), false));
  dispatch.Bind(filters);
  dispatch.Bind(Scratch(w.OutOffset(), w.OutBytes(count), true));
  dispatch.Specialise(tile.rows);
  dispatch.Specialise(tile.quads);
  dispatch.Push(WinogradProductPush{.matrices = static_cast<uint>(w.matrices()),
                                    .rows = static_cast<uint>(count),
                                    .in_quads = static_cast<uint>(w.in_quads),
                                    .out_quads = static_cast<uint>(w.out_quads),
                                    .row_tiles = static_cast<uint>(row_tiles),
                                    .quad_tiles = static_cast<uint>(quad_tiles),
                                    .block = static_cast<uint>(block),
                                    .blocks = static_cast<uint>(in_blocks / block)});
}

void AddOut(const OpInstance& op, const Winograd& w, Layout layout, int64_t first, int64_t count,
            Dispatches& dispatches) {
  const auto& a = op.as<Conv2DAttrs>();
  const Shape& out = op.output(0).shape;
  Dispatch& dispatch = dispatches.Add(Shader::k_winograd_out, count * w.out_quads);
  Operand bias = Packed();
  bias.offset = w.BiasOffset(layout);
  bias.bytes = w.BiasBytes(layout);
  dispatch.Bind(Scratch(w.OutOffset(), w.OutBytes(count), false));
  dispatch.Bind(bias);
  dispatch.Bind(Output(0));
  dispatch.Specialise(w.outputs);
  dispatch.Push(WinogradOutPush{.first = static_cast<uint>(first),
                                .tiles = static_cast<uint>(count),
                                .tiles_h = static_cast<uint>(w.tiles_h),
                                .tiles_w = static_cast<uint>(w.tiles_w),
                                .out_quads = static_cast<uint>(w.out_quads),
                                .columns = static_cast<uint>(out[3]),
                                .out_h = static_cast<uint>(out[1]),
                                .out_w = static_cast<uint>(out[2]),
                                .min = a.range.min,
                                .max = a.range.max});
}

void Lower(const OpInstance& op, Layout layout, Dispatches& dispatches) {
  const Winograd w = WinogradOf(op, layout);
  for (int64_t first = 0; first < w.tiles; first += w.strip) {
    const int64_t count = std::min(w.strip, w.tiles - first);
    AddIn(op, w, first, count, dispatches);
    AddProduct(w, layout, count, dispatches);
    AddOut(op, w, layout, first, count, dispatches);
  }
}

}  // namespace

constinit const ScratchForm kWinogradForm = {
    .scratch_bytes = ScratchBytes, .lower = Lower, .packed_bytes = PackedBytes, .pack = Pack};

}  // namespace linnet::vulkan
