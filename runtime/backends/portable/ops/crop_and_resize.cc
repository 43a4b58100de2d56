// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/crop_and_resize.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/kernels/crop_and_resize.h"

namespace linnet::portable {
namespace {

Status Run(const KernelContext& context) {
  const auto& attrs = context.as<CropAndResizeAttrs>();
  const Shape &in = context.inputs[0].shape(), &boxes = context.inputs[1].shape();
  const kernels::CropJob job = {.nearest = attrs.mode == schema::ResizeMode::Nearest,
                                .batch = in[0],
                                .in_h = in[1],
                                .in_w = in[2],
                                .channels = in[3],
                                .crop_h = attrs.crop_h,
                                .crop_w = attrs.crop_w,
                                .boxes = boxes[0],
                                .extrapolation = attrs.extrapolation};
  if (!kernels::CropAndResize(job, context.inputs[0].as<float>(), context.inputs[1].as<float>(),
                              context.inputs[2].as<int32_t>(), context.outputs[0].as<float>(),
                              context.parallel))
    return {StatusCode::kBadIndex, "CropAndResize: box_index names no image"};
  return {};
}

}  // namespace

const PortableOp kCropAndResizeKernel = {.why_unsupported = SupportsAnything, .run = Run};

}  // namespace linnet::portable
