// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/resize.h"

#include "runtime/ops/shape_attr.h"

namespace linnet {

Status Decode(const schema::ResizeAttrs& table, ResizeAttrs* attrs) {
  if (table.mode() > schema::ResizeMode::MAX || table.sampling() > schema::Sampling::MAX)
    return {StatusCode::kInvalidPlan, "Resize: unknown mode or sampling"};
  if (table.output_h() < 1 || table.output_w() < 1)
    return {StatusCode::kInvalidPlan, "Resize: output size must be >= 1"};
  attrs->mode = table.mode();
  attrs->sampling = table.sampling();
  attrs->output_h = table.output_h();
  attrs->output_w = table.output_w();
  return {};
}

flatbuffers::Offset<schema::ResizeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const ResizeAttrs& attrs) {
  return schema::CreateResizeAttrs(fbb, attrs.mode, attrs.sampling, attrs.output_h, attrs.output_w);
}

namespace {

// Elements of a row; far below what would overflow the kernel's sizes.
constexpr int64_t kMaxRow = int64_t{1} << 40;

Status InferResize(const OpInstance& op, TensorType* outputs) {
  const ResizeAttrs& attrs = op.as<ResizeAttrs>();
  const TensorType& in = op.input(0);
  if (in.shape.rank() != 4 || in.shape[1] < 1 || in.shape[2] < 1)
    return {StatusCode::kInvalidPlan, "Resize: want NHWC with height and width >= 1"};
  const bool bilinear = attrs.mode == schema::ResizeMode::Bilinear;
  const bool bicubic = attrs.mode == schema::ResizeMode::Bicubic;
  if (bicubic && in.dtype != DType::kFloat32)
    return {StatusCode::kInvalidPlan, "Resize: bicubic takes f32"};
  if (bilinear && (in.dtype == DType::kFloat16 || in.dtype == DType::kFloat64 ||
                   in.dtype == DType::kInt64 || in.dtype == DType::kBool))
    return {StatusCode::kInvalidPlan, "Resize: bilinear takes f32 and integers up to 32 bits"};
  int64_t row = 0;
  if (!CheckedMul(std::max<int64_t>(attrs.output_w, in.shape[2]), in.shape[3], &row) ||
      row > kMaxRow)
    return {StatusCode::kInvalidPlan, "Resize: rows are too long"};
  outputs[0] = {bilinear ? DType::kFloat32 : in.dtype,
                {in.shape[0], attrs.output_h, attrs.output_w, in.shape[3]}};
  return {};
}

Cost CostResize(const OpInstance& op) {
  const schema::ResizeMode mode = op.as<ResizeAttrs>().mode;
  const int64_t flops = mode == schema::ResizeMode::Bicubic    ? 14
                        : mode == schema::ResizeMode::Bilinear ? 9
                                                               : 0;
  return {.flops = SaturatingMul(op.output(0).shape.num_elements(), flops)};
}

}  // namespace

const OpDef kResizeOp = MakeOpDef<ResizeAttrs>({.name = "Resize",
                                                .min_inputs = 1,
                                                .max_inputs = 1,
                                                .num_outputs = 1,
                                                .traits = kNoTraits,
                                                .infer = InferResize,
                                                .cost = CostResize,
                                                .set_extent = SetOutputSize<ResizeAttrs>});

}  // namespace linnet
