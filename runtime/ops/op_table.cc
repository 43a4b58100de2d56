// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/linked_ops.h"
#include "runtime/ops/op_def.h"
#include "schema/plan_generated.h"

namespace linnet {
namespace {

#define LINNET_OP(name, file)                                                                \
  static_assert(static_cast<int>(OpKind::k##name) == static_cast<int>(schema::OpKind::name), \
                "op_list.def and enum OpKind in plan.fbs differ at " #name);
#include "runtime/ops/op_list.def"
#undef LINNET_OP
static_assert(kNumOps == static_cast<int>(schema::OpKind::MAX) + 1,
              "op_list.def and enum OpKind in plan.fbs have different lengths");

}  // namespace

const OpDef* FindOp(OpKind kind) { return FindLinked(kLinkedOps, kind); }

Status InferTypes(const OpInstance& op, TensorType* outputs) {
  const OpDef* def = FindOp(op.kind);
  if (def == nullptr) return {StatusCode::kInvalidPlan, "unknown op"};
  if (op.num_inputs() < def->min_inputs || op.num_inputs() > def->max_inputs)
    return {StatusCode::kInvalidPlan, "wrong number of inputs for the op"};
  int64_t elements = 0;
  for (const InputInfo& input : op.inputs) {
    if (DTypeBytes(input.type.dtype) == 0) return {StatusCode::kInvalidPlan, "input has no dtype"};
    if (!input.type.shape.NumElementsChecked(&elements))
      return {StatusCode::kInvalidPlan, "input has a negative dimension or too many elements"};
  }
  LINNET_RETURN_IF_ERROR(def->infer(op, outputs));
  for (int i = 0; i < def->num_outputs; ++i) {
    if (!outputs[i].shape.NumElementsChecked(&elements) ||
        !CheckedMul(elements, DTypeBytes(outputs[i].dtype), &elements))
      return {StatusCode::kInvalidPlan, "output has a negative dimension or too many elements"};
  }
  return {};
}

}  // namespace linnet
