// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/conv2d.h"

#include "runtime/backends/xnnpack/lowering.h"
#include "runtime/ops/window.h"

namespace linnet::xnnpack {
namespace {

xnn::Convolution Describe(const OpInstance& op) {
  const Shape& filter = op.input(1).shape;  // [O, KH, KW, I / groups]
  const Shape& in = op.input(0).shape;
  const Conv2DAttrs attrs = WithPads(op.as<Conv2DAttrs>(), in[1], in[2], filter[1], filter[2]);
  return {.window = WindowOf(attrs, filter[1], filter[2]),
          .input = ImageOf(op.input(0)),
          .groups = static_cast<uint32_t>(attrs.groups),
          .group_input_channels = static_cast<size_t>(filter[3]),
          .group_output_channels = static_cast<size_t>(filter[0] / attrs.groups),
          .output_pixel_stride = static_cast<size_t>(filter[0]),
          .depthwise = false,
          .filter = ConstantOf(op, 1),
          .bias = ConstantOf(op, 2),
          .range = RangeOf(attrs.range)};
}

}  // namespace

const Lowering kConv2DLowering = MakeLowering<Describe>(/*uses_weights_cache=*/true);

}  // namespace linnet::xnnpack
