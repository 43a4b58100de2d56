// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/depthwise_conv2d.h"

#include "runtime/ops/window.h"

namespace linnet {

Status Decode(const schema::DepthwiseConv2DAttrs& table, DepthwiseConv2DAttrs* attrs) {
  LINNET_RETURN_IF_ERROR(DecodeStridesAndPads(table, attrs));
  LINNET_RETURN_IF_ERROR(DecodeDilations(table, attrs));
  return DecodeRange(table.range(), &attrs->range);
}

flatbuffers::Offset<schema::DepthwiseConv2DAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                         const DepthwiseConv2DAttrs& attrs) {
  schema::Range range;
  return schema::CreateDepthwiseConv2DAttrs(fbb, attrs.stride_h, attrs.stride_w, attrs.dilation_h,
                                            attrs.dilation_w, attrs.pad_top, attrs.pad_bottom,
                                            attrs.pad_left, attrs.pad_right,
                                            EncodeRange(attrs.range, &range), attrs.same);
}

namespace {

Status InferDepthwiseConv2D(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<DepthwiseConv2DAttrs>();
  if (!IsFloat32OfRank(op.input(0), 4) || !IsFloat32OfRank(op.input(1), 3))
    return {StatusCode::kInvalidPlan, "DepthwiseConv2D: want f32 NHWC and an f32 HWC filter"};
  const Shape& in = op.input(0).shape;
  const Shape& filter = op.input(1).shape;
  if (in[3] == 0 ? filter[2] != 0 : filter[2] % in[3] != 0)
    return {StatusCode::kInvalidPlan,
            "DepthwiseConv2D: filter channels must be a multiple of the input's"};
  LINNET_RETURN_IF_ERROR(CheckTaps(filter[0], filter[1]));
  if (op.num_inputs() > 2) LINNET_RETURN_IF_ERROR(CheckBias(op.input(2), filter[2]));
  int64_t out_h = 0, out_w = 0;
  LINNET_RETURN_IF_ERROR(WindowOutputs(attrs, in[1], in[2], filter[0], filter[1], &out_h, &out_w));
  outputs[0] = {DType::kFloat32, {in[0], out_h, out_w, filter[2]}};
  return {};
}

Cost DepthwiseConv2DCost(const OpInstance& op) {
  const Shape& filter = op.input(1).shape;
  return MacCost(op.output(0).shape.num_elements(), filter.Product(0, 2), op.num_inputs() > 2);
}

RowWindow DepthwiseConv2DRows(const OpInstance& op) {
  const Shape& filter = op.input(1).shape;
  return RowWindowOf(op.as<DepthwiseConv2DAttrs>(), op.input(0).shape, filter[0], filter[1]);
}

void CutDepthwiseConv2DRows(const OpInstance& op, int64_t above, int64_t below, void* attrs) {
  const Shape& filter = op.input(1).shape;
  CutRowsOf(op.as<DepthwiseConv2DAttrs>(), op.input(0).shape, filter[0], filter[1], above, below,
            attrs);
}

}  // namespace

const OpDef kDepthwiseConv2DOp =
    MakeOpDef<DepthwiseConv2DAttrs>({.name = "DepthwiseConv2D",
                                     .min_inputs = 2,
                                     .max_inputs = 3,
                                     .num_outputs = 1,
                                     .traits = kNoTraits,
                                     .infer = InferDepthwiseConv2D,
                                     .cost = DepthwiseConv2DCost,
                                     .row_window = DepthwiseConv2DRows,
                                     .cut_rows = CutDepthwiseConv2DRows});

}  // namespace linnet
