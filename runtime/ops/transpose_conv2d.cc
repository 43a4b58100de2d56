// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/transpose_conv2d.h"

#include "runtime/ops/shape_attr.h"
#include "runtime/ops/window.h"

namespace linnet {

Status Decode(const schema::TransposeConv2DAttrs& table, TransposeConv2DAttrs* attrs) {
  LINNET_RETURN_IF_ERROR(DecodeStridesAndPads(table, attrs));
  LINNET_RETURN_IF_ERROR(DecodeDilations(table, attrs));
  if (table.output_h() < 0 || table.output_w() < 0)
    return {StatusCode::kInvalidPlan, "TransposeConv2D: output size must be >= 0"};
  attrs->output_h = table.output_h();
  attrs->output_w = table.output_w();
  return DecodeRange(table.range(), &attrs->range);
}

flatbuffers::Offset<schema::TransposeConv2DAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                         const TransposeConv2DAttrs& attrs) {
  schema::Range range;
  return schema::CreateTransposeConv2DAttrs(fbb, attrs.stride_h, attrs.stride_w, attrs.dilation_h,
                                            attrs.dilation_w, attrs.pad_top, attrs.pad_bottom,
                                            attrs.pad_left, attrs.pad_right, attrs.output_h,
                                            attrs.output_w, EncodeRange(attrs.range, &range));
}

namespace {

Status InferTransposeConv2D(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<TransposeConv2DAttrs>();
  if (!IsFloat32OfRank(op.input(0), 4) || !IsFloat32OfRank(op.input(1), 4))
    return {StatusCode::kInvalidPlan, "TransposeConv2D: want f32 NHWC and an f32 OHWI filter"};
  const Shape& in = op.input(0).shape;
  const Shape& filter = op.input(1).shape;
  if (filter[3] != in[3])
    return {StatusCode::kInvalidPlan, "TransposeConv2D: filter must have the input's channels"};
  LINNET_RETURN_IF_ERROR(CheckTaps(filter[1], filter[2]));
  if (op.num_inputs() > 2) LINNET_RETURN_IF_ERROR(CheckBias(op.input(2), filter[0]));
  int64_t forward_h = 0, forward_w = 0;
  LINNET_RETURN_IF_ERROR(WindowOutputs(attrs, attrs.output_h, attrs.output_w, filter[1], filter[2],
                                       &forward_h, &forward_w));
  if (forward_h != in[1] || forward_w != in[2])
    return {StatusCode::kInvalidPlan,
            "TransposeConv2D: the forward convolution must make the input's size"};
  outputs[0] = {DType::kFloat32, {in[0], attrs.output_h, attrs.output_w, filter[0]}};
  return {};
}

// Every input pixel is multiplied with the whole filter, as in the forward convolution.
Cost TransposeConv2DCost(const OpInstance& op) {
  const Shape& filter = op.input(1).shape;
  Cost cost = MacCost(op.input(0).shape.num_elements(), filter.Product(0, 3), false);
  if (op.num_inputs() > 2)
    cost.flops = SaturatingAdd(cost.flops, op.output(0).shape.num_elements());
  return cost;
}

}  // namespace

const OpDef kTransposeConv2DOp =
    MakeOpDef<TransposeConv2DAttrs>({.name = "TransposeConv2D",
                                     .min_inputs = 2,
                                     .max_inputs = 3,
                                     .num_outputs = 1,
                                     .traits = kNoTraits,
                                     .infer = InferTransposeConv2D,
                                     .cost = TransposeConv2DCost,
                                     .set_extent = SetOutputSize<TransposeConv2DAttrs>});

}  // namespace linnet
