// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/resize.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

uint32_t FlagsOf(schema::Sampling sampling) {
  switch (sampling) {
    case schema::Sampling::Legacy:
      return XNN_FLAG_TENSORFLOW_LEGACY_MODE;
    case schema::Sampling::AlignCorners:
      return XNN_FLAG_ALIGN_CORNERS;
    case schema::Sampling::HalfPixel:
      break;
  }
  return 0;
}

xnn::ResizeBilinear Describe(const OpInstance& op) {
  const auto& attrs = op.as<ResizeAttrs>();
  return {.input = ImageOf(op.input(0)),
          .pixel_stride = static_cast<size_t>(op.input(0).shape[3]),
          .output_height = static_cast<size_t>(attrs.output_h),
          .output_width = static_cast<size_t>(attrs.output_w),
          .flags = FlagsOf(attrs.sampling)};
}

}  // namespace

const Lowering kResizeLowering = MakeLowering<Describe>();

}  // namespace linnet::xnnpack
