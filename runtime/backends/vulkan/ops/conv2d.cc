// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/conv2d.h"

#include "runtime/backends/vulkan/abi/conv2d.h"
#include "runtime/backends/vulkan/filter.h"
#include "runtime/backends/vulkan/gemm.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/tile.h"
#include "runtime/backends/vulkan/winograd.h"
#include "runtime/ops/window.h"

namespace linnet::vulkan {
namespace {

Filter FilterOf(const OpInstance& op) {
  const Shape& filter = op.input(1).shape;
  return MakeFilter(filter[0], filter[1] * filter[2], filter[3], op.as<Conv2DAttrs>().groups);
}

int64_t PackedBytes(const OpInstance& op, Layout layout) {
  return PackedFilterBytes(FilterOf(op), layout);
}

void Pack(const OpInstance& op, Layout layout, std::byte* to) {
  PackFilter(FilterOf(op), FloatsOf(op, 1), FloatsOf(op, 2), layout, to);
}

const char* WhyUnsupported(const OpInstance& op) {
  const Shape &in = op.input(0).shape, &filter = op.input(1).shape;
  const Conv2DAttrs a = WithPads(op.as<Conv2DAttrs>(), in[1], in[2], filter[1], filter[2]);
  if (!ReachFits(in[1], filter[1], a.stride_h, a.dilation_h, a.pad_top, a.pad_bottom) ||
      !ReachFits(in[2], filter[2], a.stride_w, a.dilation_w, a.pad_left, a.pad_right))
    return "the window reaches too far";
  return WhyNotPacked(op);
}

// Each output pixel is made from the input pixel at its place.
bool IsPointwise(const OpInstance& op) {
  const auto& a = op.as<Conv2DAttrs>();
  return op.input(1).shape[1] == 1 && op.input(1).shape[2] == 1 && a.groups == 1 &&
         a.stride_h == 1 && a.stride_w == 1 && a.pad_top == 0 && a.pad_bottom == 0 &&
         a.pad_left == 0 && a.pad_right == 0;
}

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const Shape &in = op.input(0).shape, &kernel = op.input(1).shape, &out = op.output(0).shape;
  const Conv2DAttrs a = WithPads(op.as<Conv2DAttrs>(), in[1], in[2], kernel[1], kernel[2]);
  const Filter filter = FilterOf(op);
  if (IsPointwise(op)) return LowerGemm(op, filter, a.range, dispatches);
  const int64_t lines = out[0] * out[1], quads = filter.out_quads();
  // With groups, two quads would read other input channels.
  Tile largest = dispatches.tiles().product;
  if (a.groups > 1) largest.quads = 1;
  const Tile tile = TileFor(lines, out[2], quads, largest, dispatches.tiles().many_threads);
  const int64_t row_tiles = tile.row_tiles(out[2]), quad_tiles = tile.quad_tiles(quads);
  Dispatch& dispatch = dispatches.Add(Shader::k_conv2d, lines * row_tiles * InBlocks(quad_tiles));
  BindFilter(dispatch);
  dispatch.Specialise(tile.rows);
  dispatch.Specialise(tile.quads);
  dispatch.Push(Conv2DPush{.images = static_cast<uint>(in[0]),
                           .in_h = static_cast<int>(in[1]),
                           .in_w = static_cast<int>(in[2]),
                           .in_quads = static_cast<uint>(filter.in_quads()),
                           .out_h = static_cast<uint>(out[1]),
                           .out_w = static_cast<int>(out[2]),
                           .out_quads = static_cast<uint>(quads),
                           .columns = static_cast<uint>(out[3]),
                           .row_tiles = static_cast<uint>(row_tiles),
                           .quad_tiles = static_cast<uint>(quad_tiles),
                           .block = static_cast<uint>(BlockOf(quad_tiles)),
                           .kernel_h = static_cast<int>(kernel[1]),
                           .kernel_w = static_cast<int>(kernel[2]),
                           .stride_h = a.stride_h,
                           .stride_w = a.stride_w,
                           .dilation_h = a.dilation_h,
                           .dilation_w = a.dilation_w,
                           .pad_top = a.pad_top,
                           .pad_left = a.pad_left,
                           .depth = static_cast<uint>(filter.depth),
                           .group_in = static_cast<uint>(filter.inputs),
                           .group_out = static_cast<uint>(filter.outputs / filter.groups),
                           .min = a.range.min,
                           .max = a.range.max});
}

}  // namespace

const OpLowering kConv2DLowering = {.why_unsupported = WhyUnsupported,
                                    .lower = Lower,
                                    .packed_bytes = PackedBytes,
                                    .pack = Pack,
                                    .with_scratch = &kWinogradForm};

}  // namespace linnet::vulkan
