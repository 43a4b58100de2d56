// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/transpose.h"

#include "runtime/ops/shape_attr.h"

namespace linnet {

Status Decode(const schema::TransposeAttrs& table, TransposeAttrs* attrs) {
  const Status bad = {StatusCode::kInvalidPlan, "Transpose: perm must be a permutation"};
  if (!ShapeFromAttr(table.perm(), 0, kMaxRank - 1, &attrs->perm)) return bad;
  uint32_t seen = 0;
  for (int64_t axis : attrs->perm) seen |= 1u << axis;
  return seen == (1u << attrs->perm.rank()) - 1 ? Status() : bad;
}

flatbuffers::Offset<schema::TransposeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                   const TransposeAttrs& attrs) {
  return schema::CreateTransposeAttrs(fbb, ShapeToAttr<int32_t>(fbb, attrs.perm));
}

namespace {

Status InferTranspose(const OpInstance& op, TensorType* outputs) {
  const Shape& perm = op.as<TransposeAttrs>().perm;
  const TensorType& input = op.input(0);
  if (perm.rank() != input.shape.rank())
    return {StatusCode::kInvalidPlan, "Transpose: perm wants one number per dimension"};
  outputs[0] = input;
  for (int i = 0; i < perm.rank(); ++i)
    outputs[0].shape[i] = input.shape[static_cast<int>(perm[i])];
  return {};
}

}  // namespace

const OpDef kTransposeOp = MakeOpDef<TransposeAttrs>({.name = "Transpose",
                                                      .min_inputs = 1,
                                                      .max_inputs = 1,
                                                      .num_outputs = 1,
                                                      .traits = kMovesElements,
                                                      .infer = InferTranspose,
                                                      .cost = NoCost});

}  // namespace linnet
