// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/conv2d.h"

#include <algorithm>

#include "runtime/ops/window.h"

namespace linnet {

Status Decode(const schema::Conv2DAttrs& table, Conv2DAttrs* attrs) {
  LINNET_RETURN_IF_ERROR(DecodeStridesAndPads(table, attrs));
  LINNET_RETURN_IF_ERROR(DecodeDilations(table, attrs));
  if (table.groups() < 1) return {StatusCode::kInvalidPlan, "Conv2D: groups must be >= 1"};
  attrs->groups = table.groups();
  if (table.winograd() != 0 && table.winograd() != 2 && table.winograd() != 4)
    return {StatusCode::kInvalidPlan, "Conv2D: winograd must be 0, 2 or 4"};
  attrs->winograd = table.winograd();
  attrs->halves = table.halves();
  return DecodeRange(table.range(), &attrs->range);
}

flatbuffers::Offset<schema::Conv2DAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const Conv2DAttrs& attrs) {
  schema::Range range;
  return schema::CreateConv2DAttrs(fbb, attrs.stride_h, attrs.stride_w, attrs.dilation_h,
                                   attrs.dilation_w, attrs.pad_top, attrs.pad_bottom,
                                   attrs.pad_left, attrs.pad_right, attrs.groups,
                                   EncodeRange(attrs.range, &range), attrs.same,
                                   static_cast<uint8_t>(attrs.winograd), attrs.halves);
}

namespace {

Status InferConv2D(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<Conv2DAttrs>();
  if (!IsFloat32OfRank(op.input(0), 4) || !IsFloat32OfRank(op.input(1), 4))
    return {StatusCode::kInvalidPlan, "Conv2D: want f32 NHWC and an f32 OHWI filter"};
  const Shape& in = op.input(0).shape;
  const Shape& filter = op.input(1).shape;
  // A model can lead to 0 groups, when its filter has more channels than its image.
  if (attrs.groups < 1 || in[3] % attrs.groups != 0 || filter[0] % attrs.groups != 0)
    return {StatusCode::kInvalidPlan, "Conv2D: groups must divide input and output channels"};
  if (filter[3] != in[3] / attrs.groups)
    return {StatusCode::kInvalidPlan, "Conv2D: filter must have input channels / groups"};
  LINNET_RETURN_IF_ERROR(CheckTaps(filter[1], filter[2]));
  if (attrs.winograd != 0 && !(op.inputs[1].is_constant && HasWinogradWindow(attrs, filter)))
    return {StatusCode::kInvalidPlan, "Conv2D: Winograd's method wants a constant 3 x 3 filter"};
  if (op.num_inputs() > 2) LINNET_RETURN_IF_ERROR(CheckBias(op.input(2), filter[0]));
  int64_t out_h = 0, out_w = 0;
  LINNET_RETURN_IF_ERROR(WindowOutputs(attrs, in[1], in[2], filter[1], filter[2], &out_h, &out_w));
  outputs[0] = {DType::kFloat32, {in[0], out_h, out_w, filter[0]}};
  return {};
}

Cost Conv2DCost(const OpInstance& op) {
  const Shape& filter = op.input(1).shape;
  return MacCost(op.output(0).shape.num_elements(), filter.Product(1, 4), op.num_inputs() > 2);
}

RowWindow Conv2DRows(const OpInstance& op) {
  const Shape& filter = op.input(1).shape;
  RowWindow window = RowWindowOf(op.as<Conv2DAttrs>(), op.input(0).shape, filter[1], filter[2]);
  window.multiple = std::max(op.as<Conv2DAttrs>().winograd, 1);  // tiles begin at the first row
  return window;
}

void CutConv2DRows(const OpInstance& op, int64_t above, int64_t below, void* attrs) {
  const Shape& filter = op.input(1).shape;
  CutRowsOf(op.as<Conv2DAttrs>(), op.input(0).shape, filter[1], filter[2], above, below, attrs);
}

}  // namespace

const OpDef kConv2DOp = MakeOpDef<Conv2DAttrs>({.name = "Conv2D",
                                                .min_inputs = 2,
                                                .max_inputs = 3,
                                                .num_outputs = 1,
                                                .traits = kNoTraits,
                                                .infer = InferConv2D,
                                                .cost = Conv2DCost,
                                                .row_window = Conv2DRows,
                                                .cut_rows = CutConv2DRows});

}  // namespace linnet
