// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/cumulative.h"

namespace linnet {

Status Decode(const schema::CumulativeAttrs& table, CumulativeAttrs* attrs) {
  if (table.kind() == schema::CumulativeKind::Invalid || table.kind() > schema::CumulativeKind::MAX)
    return {StatusCode::kInvalidPlan, "Cumulative: unknown kind"};
  if (table.axis() < 0 || table.axis() >= kMaxRank)
    return {StatusCode::kInvalidPlan, "Cumulative: axis must be in 0..7"};
  attrs->kind = table.kind();
  attrs->axis = table.axis();
  attrs->exclusive = table.exclusive();
  attrs->reverse = table.reverse();
  return {};
}

flatbuffers::Offset<schema::CumulativeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                    const CumulativeAttrs& attrs) {
  return schema::CreateCumulativeAttrs(fbb, attrs.kind, attrs.axis, attrs.exclusive, attrs.reverse);
}

namespace {

using schema::CumulativeKind;

Status InferCumulative(const OpInstance& op, TensorType* outputs) {
  const CumulativeAttrs& attrs = op.as<CumulativeAttrs>();
  const TensorType& in = op.input(0);
  const bool integers = in.dtype == DType::kInt32 || in.dtype == DType::kInt64;
  if (in.dtype != DType::kFloat32 && !(integers && attrs.kind != CumulativeKind::LogSumExp))
    return {StatusCode::kInvalidPlan, "Cumulative: takes f32; sums and products also i32 and i64"};
  if (attrs.axis >= in.shape.rank())
    return {StatusCode::kInvalidPlan, "Cumulative: axis must be below the rank"};
  outputs[0] = in;
  return {};
}

Cost CostCumulative(const OpInstance& op) {
  const bool exponentials = op.as<CumulativeAttrs>().kind == CumulativeKind::LogSumExp;
  return {.flops = SaturatingMul(op.output(0).shape.num_elements(), exponentials ? 40 : 1)};
}

}  // namespace

const OpDef kCumulativeOp = MakeOpDef<CumulativeAttrs>({.name = "Cumulative",
                                                        .min_inputs = 1,
                                                        .max_inputs = 1,
                                                        .num_outputs = 1,
                                                        .traits = kMayRunInPlace,
                                                        .infer = InferCumulative,
                                                        .cost = CostCumulative});

}  // namespace linnet
