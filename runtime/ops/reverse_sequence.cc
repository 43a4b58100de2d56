// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/reverse_sequence.h"

namespace linnet {

Status Decode(const schema::ReverseSequenceAttrs& table, ReverseSequenceAttrs* attrs) {
  if (table.sequence_axis() < 0 || table.sequence_axis() >= kMaxRank || table.batch_axis() < 0 ||
      table.batch_axis() >= kMaxRank || table.sequence_axis() == table.batch_axis())
    return {StatusCode::kInvalidPlan, "ReverseSequence: want two different axes in 0..7"};
  attrs->sequence_axis = table.sequence_axis();
  attrs->batch_axis = table.batch_axis();
  return {};
}

flatbuffers::Offset<schema::ReverseSequenceAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                         const ReverseSequenceAttrs& attrs) {
  return schema::CreateReverseSequenceAttrs(fbb, attrs.sequence_axis, attrs.batch_axis);
}

namespace {

Status InferReverseSequence(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<ReverseSequenceAttrs>();
  const TensorType &in = op.input(0), &lengths = op.input(1);
  if (attrs.sequence_axis >= in.shape.rank() || attrs.batch_axis >= in.shape.rank())
    return {StatusCode::kInvalidPlan, "ReverseSequence: axes must be below the rank"};
  if ((lengths.dtype != DType::kInt32 && lengths.dtype != DType::kInt64) ||
      lengths.shape != Shape{in.shape[attrs.batch_axis]})
    return {StatusCode::kInvalidPlan, "ReverseSequence: want one i32 or i64 length per slice"};
  outputs[0] = in;
  return {};
}

}  // namespace

const OpDef kReverseSequenceOp = MakeOpDef<ReverseSequenceAttrs>({.name = "ReverseSequence",
                                                                  .min_inputs = 2,
                                                                  .max_inputs = 2,
                                                                  .num_outputs = 1,
                                                                  .traits = kPicksElements,
                                                                  .infer = InferReverseSequence,
                                                                  .cost = NoCost});

}  // namespace linnet
