// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/pool2d.h"

#include "runtime/backends/xnnpack/lowering.h"
#include "runtime/ops/window.h"

namespace linnet::xnnpack {
namespace {

xnn::Pool Describe(const OpInstance& op) {
  const auto& given = op.as<Pool2DAttrs>();
  const Shape& in = op.input(0).shape;
  const Pool2DAttrs a = WithPads(given, in[1], in[2], given.window_h, given.window_w);
  const auto u = [](int v) { return static_cast<uint32_t>(v); };
  return {.average = a.kind == schema::PoolKind::Average,
          .window = {.height = u(a.window_h),
                     .width = u(a.window_w),
                     .stride_h = u(a.stride_h),
                     .stride_w = u(a.stride_w),
                     .pad_top = u(a.pad_top),
                     .pad_bottom = u(a.pad_bottom),
                     .pad_left = u(a.pad_left),
                     .pad_right = u(a.pad_right)},
          .input = ImageOf(op.input(0)),
          .range = RangeOf(a.range)};
}

}  // namespace

const Lowering kPool2DLowering = MakeLowering<Describe>();

}  // namespace linnet::xnnpack
