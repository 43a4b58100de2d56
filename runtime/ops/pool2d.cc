// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/pool2d.h"

#include "runtime/ops/window.h"

namespace linnet {

Status Decode(const schema::Pool2DAttrs& table, Pool2DAttrs* attrs) {
  if (table.kind() < schema::PoolKind::Max || table.kind() > schema::PoolKind::Average)
    return {StatusCode::kInvalidPlan, "Pool2D: unknown kind"};
  attrs->kind = table.kind();
  if (table.window_h() < 1 || table.window_w() < 1)
    return {StatusCode::kInvalidPlan, "Pool2D: window must be >= 1"};
  attrs->window_h = table.window_h();
  attrs->window_w = table.window_w();
  LINNET_RETURN_IF_ERROR(DecodeStridesAndPads(table, attrs));
  // So that every window contains an element of the image.
  if (std::max(attrs->pad_top, attrs->pad_bottom) >= attrs->window_h ||
      std::max(attrs->pad_left, attrs->pad_right) >= attrs->window_w)
    return {StatusCode::kInvalidPlan, "Pool2D: pads must be smaller than the window"};
  return DecodeRange(table.range(), &attrs->range);
}

flatbuffers::Offset<schema::Pool2DAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const Pool2DAttrs& attrs) {
  schema::Range range;
  return schema::CreatePool2DAttrs(fbb, attrs.kind, attrs.window_h, attrs.window_w, attrs.stride_h,
                                   attrs.stride_w, attrs.pad_top, attrs.pad_bottom, attrs.pad_left,
                                   attrs.pad_right, EncodeRange(attrs.range, &range), attrs.same);
}

namespace {

bool PoolsDType(schema::PoolKind kind, DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return true;
    case DType::kInt32:
    case DType::kInt64:
    case DType::kUint8:
    case DType::kInt8:
      return kind == schema::PoolKind::Max;
    default:
      return false;
  }
}

Status InferPool2D(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<Pool2DAttrs>();
  const Shape& in = op.input(0).shape;
  const DType dtype = op.input(0).dtype;
  if (in.rank() != 4) return {StatusCode::kInvalidPlan, "Pool2D: want NHWC"};
  if (!PoolsDType(attrs.kind, dtype))
    return {StatusCode::kInvalidPlan, "Pool2D: want f32, for maxima also i32, i64, u8 or i8"};
  if (dtype != DType::kFloat32 && !attrs.range.unbounded())
    return {StatusCode::kInvalidPlan, "Pool2D: only f32 can have an output range"};
  int64_t out_h = 0, out_w = 0;
  LINNET_RETURN_IF_ERROR(
      WindowOutputs(attrs, in[1], in[2], attrs.window_h, attrs.window_w, &out_h, &out_w));
  if ((in[1] == 0 && out_h > 0) || (in[2] == 0 && out_w > 0))
    return {StatusCode::kInvalidPlan, "Pool2D: windows over an empty image"};
  outputs[0] = {dtype, {in[0], out_h, out_w, in[3]}};
  return {};
}

Cost Pool2DCost(const OpInstance& op) {
  const auto& attrs = op.as<Pool2DAttrs>();
  const int64_t window = int64_t{attrs.window_h} * attrs.window_w;
  return {.macs = 0, .flops = SaturatingMul(op.output(0).shape.num_elements(), window)};
}

RowWindow Pool2DRows(const OpInstance& op) {
  const auto& attrs = op.as<Pool2DAttrs>();
  return RowWindowOf(attrs, op.input(0).shape, attrs.window_h, attrs.window_w);
}

void CutPool2DRows(const OpInstance& op, int64_t above, int64_t below, void* attrs) {
  const auto& whole = op.as<Pool2DAttrs>();
  CutRowsOf(whole, op.input(0).shape, whole.window_h, whole.window_w, above, below, attrs);
}

}  // namespace

const OpDef kPool2DOp = MakeOpDef<Pool2DAttrs>({.name = "Pool2D",
                                                .min_inputs = 1,
                                                .max_inputs = 1,
                                                .num_outputs = 1,
                                                .traits = kNoTraits,
                                                .infer = InferPool2D,
                                                .cost = Pool2DCost,
                                                .row_window = Pool2DRows,
                                                .cut_rows = CutPool2DRows});

}  // namespace linnet
