// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/crop_and_resize.h"

#include "runtime/backends/vulkan/abi/crop_and_resize.h"
#include "runtime/backends/vulkan/index_check.h"
#include "runtime/backends/vulkan/lowering.h"

namespace linnet::vulkan {
namespace {

constexpr char kBadIndexMessage[] = "CropAndResize: box_index names no image";

const char* WhyUnsupported(const OpInstance& op) {
  if (op.input(0).shape.num_elements() == 0 && op.output(0).shape.num_elements() != 0)
    return "there are no images";
  // Nothing runs for an empty output, although an index may name no image.
  const bool unseen = op.output(0).shape.num_elements() == 0 &&
                      op.input(2).shape.num_elements() != 0 && !op.inputs[2].is_constant;
  return unseen ? "indices of an empty output" : nullptr;
}

const char* WhyBadConstants(const OpInstance& op) {
  const InputInfo& index = op.inputs[2];
  if (!index.is_constant || !HasBadIndex(index, op.input(0).shape[0])) return nullptr;
  return kBadIndexMessage;
}

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const auto& attrs = op.as<CropAndResizeAttrs>();
  const Shape& in = op.input(0).shape;
  if (!op.inputs[2].is_constant) AddIndexCheck(op, 2, in[0], kBadIndexMessage, dispatches);
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

const OpLowering kCropAndResizeLowering = {
    .why_unsupported = WhyUnsupported, .lower = Lower, .why_bad_constants = WhyBadConstants};

}  // namespace linnet::vulkan
