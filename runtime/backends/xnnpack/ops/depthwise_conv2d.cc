// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/depthwise_conv2d.h"

#include "runtime/backends/xnnpack/lowering.h"
#include "runtime/ops/window.h"

namespace linnet::xnnpack {
namespace {

xnn::Convolution Describe(const OpInstance& op) {
  const Shape& filter = op.input(1).shape;  // [KH, KW, C * M]
  const Shape& in = op.input(0).shape;
  const DepthwiseConv2DAttrs attrs =
      WithPads(op.as<DepthwiseConv2DAttrs>(), in[1], in[2], filter[0], filter[1]);
  const int64_t channels = in[3];
  return {.window = WindowOf(attrs, filter[0], filter[1]),
          .input = ImageOf(op.input(0)),
          .groups = static_cast<uint32_t>(channels),
          .group_input_channels = 1,
          .group_output_channels = static_cast<size_t>(filter[2] / channels),
          .output_pixel_stride = static_cast<size_t>(filter[2]),
          .depthwise = true,
          .filter = ConstantOf(op, 1),
          .bias = ConstantOf(op, 2),
          .range = RangeOf(attrs.range)};
}

}  // namespace

const Lowering kDepthwiseConv2DLowering = MakeLowering<Describe>(/*uses_weights_cache=*/true);

}  // namespace linnet::xnnpack
