// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/transpose_conv2d.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

// Output rows that the stride of the forward convolution would have dropped.
uint32_t Adjustment(int64_t output, int64_t pads, int64_t kernel, int64_t dilation, int64_t input,
                    int64_t stride) {
  return static_cast<uint32_t>(output + pads - ((kernel - 1) * dilation + 1) -
                               (input - 1) * stride);
}

xnn::Deconvolution Describe(const OpInstance& op) {
  const auto& a = op.as<TransposeConv2DAttrs>();
  const Shape& filter = op.input(1).shape;  // [O, KH, KW, I]
  const Shape& input = op.input(0).shape;
  return {.window = WindowOf(a, filter[1], filter[2]),
          .input = ImageOf(op.input(0)),
          .adjustment_h = Adjustment(a.output_h, int64_t{a.pad_top} + a.pad_bottom, filter[1],
                                     a.dilation_h, input[1], a.stride_h),
          .adjustment_w = Adjustment(a.output_w, int64_t{a.pad_left} + a.pad_right, filter[2],
                                     a.dilation_w, input[2], a.stride_w),
          .output_channels = static_cast<size_t>(filter[0]),
          .output_pixel_stride = static_cast<size_t>(filter[0]),
          .filter = ConstantOf(op, 1),
          .bias = ConstantOf(op, 2),
          .range = RangeOf(a.range)};
}

}  // namespace

const Lowering kTransposeConv2DLowering = MakeLowering<Describe>(/*uses_weights_cache=*/true);

}  // namespace linnet::xnnpack
