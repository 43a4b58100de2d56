// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/resize.h"

#include "runtime/backends/vulkan/abi/resize_bilinear.h"
#include "runtime/backends/vulkan/lowering.h"

namespace linnet::vulkan {
namespace {

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

Shader ShaderOf(const OpInstance& op) {
  switch (op.as<ResizeAttrs>().mode) {
    case schema::ResizeMode::Nearest:
      return Shader::k_resize_nearest;
    case schema::ResizeMode::Bicubic:
      return Shader::k_resize_bicubic;
    default:
      return op.input(0).dtype == DType::kFloat32 ? Shader::k_resize_bilinear
                                                  : Shader::k_resize_bilinear_i32;
  }
}

uint32_t SamplingOf(schema::Sampling sampling) {
  switch (sampling) {
    case schema::Sampling::AlignCorners:
      return LINNET_RESIZE_ALIGN_CORNERS;
    case schema::Sampling::HalfPixel:
      return LINNET_RESIZE_HALF_PIXEL;
    default:
      return LINNET_RESIZE_LEGACY;
  }
}

// As runtime/kernels/resize.cc: single-precision operations, whose rounding decides which pixel is
// taken.
float ScaleOf(schema::Sampling sampling, int64_t in, int64_t out) {
  if (sampling == schema::Sampling::AlignCorners && out > 1)
    return static_cast<float>(in - 1) / static_cast<float>(out - 1);
  return static_cast<float>(in) / static_cast<float>(out);
}

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const auto& attrs = op.as<ResizeAttrs>();
  const Shape& in = op.input(0).shape;
  const Rows pixels = RowsOf(op.output(0));
  Dispatch& dispatch = dispatches.Add(ShaderOf(op), pixels.count * pixels.quads);
  dispatch.Bind(Input(0));
  dispatch.Bind(Output(0));
  dispatch.Specialise(SamplingOf(attrs.sampling));
  dispatch.Push(ResizePush{.pixels = static_cast<uint>(pixels.count),
                           .in_h = static_cast<int>(in[1]),
                           .in_w = static_cast<int>(in[2]),
                           .quads = static_cast<uint>(pixels.quads),
                           .out_h = static_cast<uint>(attrs.output_h),
                           .out_w = static_cast<uint>(attrs.output_w),
                           .scale_h = ScaleOf(attrs.sampling, in[1], attrs.output_h),
                           .scale_w = ScaleOf(attrs.sampling, in[2], attrs.output_w)});
}

}  // namespace

const OpLowering kResizeLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan
