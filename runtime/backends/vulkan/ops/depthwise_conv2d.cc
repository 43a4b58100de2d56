// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/depthwise_conv2d.h"

#include "runtime/backends/vulkan/abi/depthwise_conv2d.h"
#include "runtime/backends/vulkan/filter.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/pack_rows4.h"
#include "runtime/backends/vulkan/tile.h"
#include "runtime/ops/window.h"

namespace linnet::vulkan {
namespace {

// Filters are small, and their large weights often cancel each other, so they always have 32 bits.
constexpr Layout kFilterLayout = Layout::kRows4;

// Rows [tap][o / 4] of the filter, which is stored as [tap][o], then the bias.
int64_t PackedBytes(const OpInstance& op, Layout) {
  const Shape& filter = op.input(1).shape;
  return (filter[0] * filter[1] + 1) * RowsOf(op.input(1)).quads * 4 * FloatBytes(kFilterLayout);
}

void Pack(const OpInstance& op, Layout, std::byte* to) {
  const Rows filter = RowsOf(op.input(1));
  const int64_t row_bytes = filter.quads * 4 * FloatBytes(kFilterLayout);
  for (int64_t tap = 0; tap < filter.count; ++tap)
    PackRow(FloatsOf(op, 1) + tap * filter.columns, filter.columns, kFilterLayout,
            to + tap * row_bytes);
  PackRow(FloatsOf(op, 2), filter.columns, kFilterLayout, to + filter.count * row_bytes);
}

const char* WhyUnsupported(const OpInstance& op) {
  const Shape &in = op.input(0).shape, &filter = op.input(1).shape;
  const DepthwiseConv2DAttrs a =
      WithPads(op.as<DepthwiseConv2DAttrs>(), in[1], in[2], filter[0], filter[1]);
  if (!ReachFits(in[1], filter[0], a.stride_h, a.dilation_h, a.pad_top, a.pad_bottom) ||
      !ReachFits(in[2], filter[1], a.stride_w, a.dilation_w, a.pad_left, a.pad_right))
    return "the window reaches too far";
  return WhyNotPacked(op);
}

// Whether the window is one of the few for which a shader of their own is worth compiling.
bool IsUsual(const OpInstance& op) {
  const auto& a = op.as<DepthwiseConv2DAttrs>();
  const int64_t width = op.input(1).shape[1];
  return op.input(0).shape[3] == op.output(0).shape[3] && a.dilation_w == 1 && a.stride_w <= 2 &&
         (width == 3 || width == 5);
}

static_assert(LINNET_DEPTHWISE_KERNEL_W >= 5);

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const Shape &in = op.input(0).shape, &kernel = op.input(1).shape, &out = op.output(0).shape;
  const DepthwiseConv2DAttrs a =
      WithPads(op.as<DepthwiseConv2DAttrs>(), in[1], in[2], kernel[0], kernel[1]);
  const Rows pixels = RowsOf(op.output(0));
  const int64_t lines = out[0] * out[1], multiplier = out[3] / in[3];
  const Tile tile = TileFor(lines, out[2], pixels.quads, dispatches.tiles().depthwise,
                            dispatches.tiles().many_threads);
  const int64_t row_tiles = tile.row_tiles(out[2]);
  Dispatch& dispatch = dispatches.Add(Shader::k_depthwise_conv2d, lines * row_tiles * pixels.quads);
  BindFilter(dispatch);
  dispatch.Specialise(tile.rows);
  dispatch.Specialise(multiplier > 1);
  const bool usual = IsUsual(op);
  dispatch.Specialise(usual ? static_cast<uint32_t>(kernel[1]) : 0);
  dispatch.Specialise(usual ? static_cast<uint32_t>(a.stride_w) : 1);
  dispatch.Push(DepthwiseConv2DPush{.images = static_cast<uint>(in[0]),
                                    .in_h = static_cast<int>(in[1]),
                                    .in_w = static_cast<int>(in[2]),
                                    .in_quads = static_cast<uint>(RowsOf(op.input(0)).quads),
                                    .out_h = static_cast<uint>(out[1]),
                                    .out_w = static_cast<int>(out[2]),
                                    .out_quads = static_cast<uint>(pixels.quads),
                                    .columns = static_cast<uint>(out[3]),
                                    .row_tiles = static_cast<uint>(row_tiles),
                                    .kernel_h = static_cast<int>(kernel[0]),
                                    .kernel_w = static_cast<int>(kernel[1]),
                                    .stride_h = a.stride_h,
                                    .stride_w = a.stride_w,
                                    .dilation_h = a.dilation_h,
                                    .dilation_w = a.dilation_w,
                                    .pad_top = a.pad_top,
                                    .pad_left = a.pad_left,
                                    .multiplier = static_cast<uint>(multiplier),
                                    .min = a.range.min,
                                    .max = a.range.max});
}

}  // namespace

const OpLowering kDepthwiseConv2DLowering = {
    .why_unsupported = WhyUnsupported, .lower = Lower, .packed_bytes = PackedBytes, .pack = Pack};

}  // namespace linnet::vulkan
