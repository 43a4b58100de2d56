// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/crop_and_resize.h"

namespace linnet {

Status Decode(const schema::CropAndResizeAttrs& table, CropAndResizeAttrs* attrs) {
  if (table.mode() != schema::ResizeMode::Bilinear && table.mode() != schema::ResizeMode::Nearest)
    return {StatusCode::kInvalidPlan, "CropAndResize: want mode Bilinear or Nearest"};
  if (table.crop_h() < 1 || table.crop_w() < 1)
    return {StatusCode::kInvalidPlan, "CropAndResize: crop size must be >= 1"};
  attrs->mode = table.mode();
  attrs->crop_h = table.crop_h();
  attrs->crop_w = table.crop_w();
  attrs->extrapolation = table.extrapolation();
  return {};
}

flatbuffers::Offset<schema::CropAndResizeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                       const CropAndResizeAttrs& attrs) {
  return schema::CreateCropAndResizeAttrs(fbb, attrs.mode, attrs.crop_h, attrs.crop_w,
                                          attrs.extrapolation);
}

namespace {

Status InferCropAndResize(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<CropAndResizeAttrs>();
  const TensorType &images = op.input(0), &boxes = op.input(1), &index = op.input(2);
  if (images.dtype != DType::kFloat32 || images.shape.rank() != 4 || images.shape[1] < 1 ||
      images.shape[2] < 1)
    return {StatusCode::kInvalidPlan, "CropAndResize: want f32 NHWC, height and width >= 1"};
  if (boxes.dtype != DType::kFloat32 || boxes.shape.rank() != 2 || boxes.shape[1] != 4)
    return {StatusCode::kInvalidPlan, "CropAndResize: want f32 boxes [n, 4]"};
  if (index.dtype != DType::kInt32 || index.shape != Shape{boxes.shape[0]})
    return {StatusCode::kInvalidPlan, "CropAndResize: want one i32 image index per box"};
  outputs[0] = {DType::kFloat32, {boxes.shape[0], attrs.crop_h, attrs.crop_w, images.shape[3]}};
  return {};
}

Cost CostCropAndResize(const OpInstance& op) {
  return {.flops = SaturatingMul(op.output(0).shape.num_elements(), 9)};
}

}  // namespace

const OpDef kCropAndResizeOp = MakeOpDef<CropAndResizeAttrs>({.name = "CropAndResize",
                                                              .min_inputs = 3,
                                                              .max_inputs = 3,
                                                              .num_outputs = 1,
                                                              .traits = kNoTraits,
                                                              .infer = InferCropAndResize,
                                                              .cost = CostCropAndResize});

}  // namespace linnet
