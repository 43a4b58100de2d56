// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/crop_and_resize.h"

#include "runtime/backends/vulkan/abi/crop_and_resize.h"
#include "runtime/backends/vulkan/lowering.h"

namespace linnet::vulkan {
namespace {

const char* WhyUnsupported(const OpInstance& op) {
  if (op.output(0).shape.num_elements() == 0) return nullptr;
  if (op.input(0).shape.num_elements() == 0) return "there are no images";
  // A run must fail with kBadIndex when an index names no image, which a device cannot tell.
  if (!op.inputs[2].is_constant) return "the indices of images are not constant";
  const auto* index = static_cast<const int32_t*>(op.inputs[2].value);
  for (int64_t i = 0; index != nullptr && i < op.input(2).shape.num_elements(); ++i) {
    if (index[i] < 0 || index[i] >= op.input(0).shape[0]) return "an index names no image";
  }
  return nullptr;
}

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const auto& attrs = op.as<CropAndResizeAttrs>();
  const Shape& in = op.input(0).shape;
  const Rows pixels = RowsOf(op.output(0));
  Dispatch& dispatch = dispatches.Add(Shader::k_crop_and_resize, pixels.count * pixels.quads);
  dispatch.Bind(Input(0));
  dispatch.Bind(Input(1));
  dispatch.Bind(Input(2));
  dispatch.Bind(Output(0));
  dispatch.Specialise(attrs.mode == schema::ResizeMode::Nearest);
  dispatch.Push(CropAndResizePush{.boxes = static_cast<uint>(op.output(0).shape[0]),
                                  .images = static_cast<int>(in[0]),
                                  .in_h = static_cast<int>(in[1]),
                                  .in_w = static_cast<int>(in[2]),
                                  .quads = static_cast<uint>(pixels.quads),
                                  .crop_h = static_cast<uint>(attrs.crop_h),
                                  .crop_w = static_cast<uint>(attrs.crop_w),
                                  .columns = static_cast<uint>(pixels.columns),
                                  .extrapolation = attrs.extrapolation});
}

}  // namespace

const OpLowering kCropAndResizeLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan
