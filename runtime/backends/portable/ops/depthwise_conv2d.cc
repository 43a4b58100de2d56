// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/depthwise_conv2d.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/backends/portable/ops/packed_filter.h"
#include "runtime/ops/depthwise_conv2d.h"
#include "runtime/ops/window.h"

namespace linnet::portable {
namespace {

// The kernel reads the filter in its own layout, HWC, so there is nothing to pack.
Status Run(const KernelContext& context) {
  const Shape& in = context.inputs[0].shape();
  const Shape& filter = context.inputs[1].shape();
  const Shape& out = context.outputs[0].shape();
  const DepthwiseConv2DAttrs attrs =
      WithPads(context.as<DepthwiseConv2DAttrs>(), in[1], in[2], filter[0], filter[1]);
  if (out.num_elements() == 0) return {};
  const kernels::DepthwiseConv2DShape shape = {.batch = in[0],
                                               .in_h = in[1],
                                               .in_w = in[2],
                                               .channels = in[3],
                                               .multiplier = filter[2] / in[3],
                                               .kernel_h = filter[0],
                                               .kernel_w = filter[1],
                                               .out_h = out[1],
                                               .out_w = out[2],
                                               .stride_h = attrs.stride_h,
                                               .stride_w = attrs.stride_w,
                                               .dilation_h = attrs.dilation_h,
                                               .dilation_w = attrs.dilation_w,
                                               .pad_top = attrs.pad_top,
                                               .pad_left = attrs.pad_left};
  kernels::DepthwiseConv2D(shape, context.inputs[0].as<const float>(),
                           context.inputs[1].as<const float>(), BiasOf(context), attrs.range.min,
                           attrs.range.max, context.outputs[0].as<float>(), context.parallel);
  return {};
}

}  // namespace

const PortableOp kDepthwiseConv2DKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
