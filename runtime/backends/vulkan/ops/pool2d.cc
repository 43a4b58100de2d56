// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/pool2d.h"

#include <algorithm>

#include "runtime/backends/vulkan/abi/pool2d.h"
#include "runtime/backends/vulkan/filter.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/tile.h"
#include "runtime/ops/window.h"

namespace linnet::vulkan {
namespace {

Pool2DAttrs PaddedAttrs(const OpInstance& op) {
  const auto& a = op.as<Pool2DAttrs>();
  const Shape& in = op.input(0).shape;
  return WithPads(a, in[1], in[2], a.window_h, a.window_w);
}

const char* WhyUnsupported(const OpInstance& op) {
  const Shape& in = op.input(0).shape;
  const Pool2DAttrs a = PaddedAttrs(op);
  if (!ReachFits(in[1], a.window_h, a.stride_h, 1, a.pad_top, a.pad_bottom) ||
      !ReachFits(in[2], a.window_w, a.stride_w, 1, a.pad_left, a.pad_right))
    return "the window reaches too far";
  switch (op.input(0).dtype) {
    case DType::kFloat32:
    case DType::kInt32:
    case DType::kUint8:
      return nullptr;
    default:
      return "elements are not f32, i32 or u8";
  }
}

// Whether the outputs are too few to occupy a GPU and the windows large enough to be shared.
bool IsWide(const OpInstance& op, const Tiles& tiles) {
  constexpr int64_t kManyTaps = int64_t{4} * LINNET_POOL2D_WIDE_PARTS;
  const auto& a = op.as<Pool2DAttrs>();
  const Shape& in = op.input(0).shape;
  const Rows out = RowsOf(op.output(0));
  const int64_t taps = std::min<int64_t>(a.window_h, in[1]) * std::min<int64_t>(a.window_w, in[2]);
  return tiles.share_sums && op.input(0).dtype == DType::kFloat32 && taps >= kManyTaps &&
         out.count * out.quads < tiles.many_threads;
}

static_assert(LINNET_POOL2D_WIDE_QUADS * LINNET_POOL2D_WIDE_PARTS == kWorkgroupSize);

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const Pool2DAttrs a = PaddedAttrs(op);
  const Shape &in = op.input(0).shape, &out = op.output(0).shape;
  const Rows pixels = RowsOf(op.output(0));
  const bool floats = op.input(0).dtype == DType::kFloat32, wide = IsWide(op, dispatches.tiles());
  const int64_t quad_tiles = Tile{1, LINNET_POOL2D_WIDE_QUADS}.quad_tiles(pixels.quads);
  Dispatch& dispatch = dispatches.Add(
      wide     ? Shader::k_pool2d_wide
      : floats ? Shader::k_pool2d
               : Shader::k_pool2d_i32,
      wide ? pixels.count * quad_tiles * kWorkgroupSize : pixels.count * pixels.quads);
  dispatch.Bind(Input(0));
  dispatch.Bind(Output(0));
  if (floats) dispatch.Specialise(a.kind == schema::PoolKind::Average);
  dispatch.Push(Pool2DPush{.pixels = static_cast<uint>(pixels.count),
                           .in_h = static_cast<int>(in[1]),
                           .in_w = static_cast<int>(in[2]),
                           .quads = static_cast<uint>(pixels.quads),
                           .out_h = static_cast<uint>(out[1]),
                           .out_w = static_cast<uint>(out[2]),
                           .columns = static_cast<uint>(pixels.columns),
                           .quad_tiles = static_cast<uint>(quad_tiles),
                           .window_h = a.window_h,
                           .window_w = a.window_w,
                           .stride_h = a.stride_h,
                           .stride_w = a.stride_w,
                           .pad_top = a.pad_top,
                           .pad_left = a.pad_left,
                           .min = a.range.min,
                           .max = a.range.max});
}

}  // namespace

const OpLowering kPool2DLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan
