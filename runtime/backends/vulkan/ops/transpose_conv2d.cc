// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/transpose_conv2d.h"

#include <algorithm>
#include <numeric>

#include "runtime/backends/vulkan/abi/transpose_conv2d.h"
#include "runtime/backends/vulkan/filter.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/tile.h"

namespace linnet::vulkan {
namespace {

Filter FilterOf(const OpInstance& op) {
  const Shape& filter = op.input(1).shape;
  return MakeFilter(filter[0], filter[1] * filter[2], filter[3]);
}

int64_t PackedBytes(const OpInstance& op, Layout layout) {
  return PackedFilterBytes(FilterOf(op), layout);
}

void Pack(const OpInstance& op, Layout layout, std::byte* to) {
  PackFilter(FilterOf(op), FloatsOf(op, 1), FloatsOf(op, 2), layout, to);
}

const char* WhyUnsupported(const OpInstance& op) {
  const auto& a = op.as<TransposeConv2DAttrs>();
  const Shape& filter = op.input(1).shape;
  if (!ReachFits(a.output_h, filter[1], a.stride_h, a.dilation_h, a.pad_top, a.pad_bottom) ||
      !ReachFits(a.output_w, filter[2], a.stride_w, a.dilation_w, a.pad_left, a.pad_right))
    return "the window reaches too far";
  return WhyNotPacked(op);
}

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const auto& a = op.as<TransposeConv2DAttrs>();
  const Filter filter = FilterOf(op);
  const Shape &in = op.input(0).shape, &out = op.output(0).shape;
  // A tap meets an output pixel where position - tap * dilation is a multiple of the stride. So
  // those taps are `step` apart, and columns of one phase meet the same taps.
  const int step_h = a.stride_h / std::gcd(a.stride_h, a.dilation_h);
  const int step_w = a.stride_w / std::gcd(a.stride_w, a.dilation_w);
  const int64_t phases = std::min<int64_t>(a.stride_w, out[2]);
  const int64_t turns = (out[2] + phases - 1) / phases;
  const int64_t lines = out[0] * out[1] * phases, quads = filter.out_quads();
  Tile largest = dispatches.tiles().product;
  largest.rows = std::min(largest.rows, LINNET_TRANSPOSE_CONV2D_PIXELS);
  largest.quads = std::min(largest.quads, 2);
  const Tile tile = TileFor(lines, turns, quads, largest, dispatches.tiles().many_threads);
  const int64_t phase_tiles = tile.row_tiles(turns), quad_tiles = tile.quad_tiles(quads);
  Dispatch& dispatch = dispatches.Add(Shader::k_transpose_conv2d, lines * phase_tiles * quad_tiles);
  dispatch.Bind(Input(0));
  dispatch.Bind(Packed());
  dispatch.Bind(Output(0));
  dispatch.Specialise(tile.rows);
  dispatch.Specialise(tile.quads);
  dispatch.Push(
      TransposeConv2DPush{.images = static_cast<uint>(in[0]),
                          .in_h = static_cast<int>(in[1]),
                          .in_w = static_cast<int>(in[2]),
                          .in_quads = static_cast<uint>(filter.in_quads()),
                          .out_h = static_cast<uint>(out[1]),
                          .out_w = static_cast<int>(out[2]),
                          .out_quads = static_cast<uint>(quads),
                          .columns = static_cast<uint>(out[3]),
                          .phases = static_cast<uint>(phases),
                          .phase_tiles = static_cast<uint>(phase_tiles),
                          .quad_tiles = static_cast<uint>(quad_tiles),
                          .kernel_h = static_cast<int>(op.input(1).shape[1]),
                          .kernel_w = static_cast<int>(op.input(1).shape[2]),
                          .stride_h = a.stride_h,
                          .stride_w = a.stride_w,
                          .dilation_h = a.dilation_h,
                          .dilation_w = a.dilation_w,
                          .pad_top = a.pad_top,
                          .pad_left = a.pad_left,
                          .step_h = step_h,
                          .step_w = step_w,
                          .back_h = static_cast<int>(int64_t{step_h} * a.dilation_h / a.stride_h),
                          .back_w = static_cast<int>(int64_t{step_w} * a.dilation_w / a.stride_w),
                          .min = a.range.min,
                          .max = a.range.max});
}

}  // namespace

const OpLowering kTransposeConv2DLowering = {
    .why_unsupported = WhyUnsupported, .lower = Lower, .packed_bytes = PackedBytes, .pack = Pack};

}  // namespace linnet::vulkan
