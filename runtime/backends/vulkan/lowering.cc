// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/lowering.h"

#include "runtime/ops/linked_ops.h"

namespace linnet::vulkan {

const OpLowering* FindLowering(OpKind kind) { return FindLinked(kLinkedLowerings, kind); }

namespace {

bool HasFloats(const OpInstance& op) {
  for (const InputInfo& input : op.inputs)
    if (input.type.dtype == DType::kFloat32) return true;
  for (const TensorType& output : op.outputs)
    if (output.dtype == DType::kFloat32) return true;
  return false;
}

}  // namespace

const ScratchForm* FindScratchForm(const OpInstance& op, Layout layout, int64_t scratch_bytes) {
  const ScratchForm* form = FindLowering(op.kind)->with_scratch;
  if (form == nullptr || scratch_bytes == 0) return nullptr;
  const int64_t wanted = form->scratch_bytes(op, layout);
  return wanted > 0 && wanted <= scratch_bytes ? form : nullptr;
}

PackedForm FindPackedForm(const OpInstance& op, Layout layout, int64_t scratch_bytes) {
  if (const ScratchForm* form = FindScratchForm(op, layout, scratch_bytes))
    return {form->packed_bytes, form->pack};
  const OpLowering& lowering = *FindLowering(op.kind);
  return {lowering.packed_bytes, lowering.pack};
}

void LowerStep(const OpInstance& op, Layout layout, int64_t scratch_bytes, Dispatches& dispatches) {
  if (const ScratchForm* form = FindScratchForm(op, layout, scratch_bytes))
    form->lower(op, layout, dispatches);
  else
    FindLowering(op.kind)->lower(op, dispatches);
  // Steps without floats have only integers and bools to move, which have four bytes.
  if (layout == Layout::kRows4Half && HasFloats(op)) dispatches.SetMode(ShaderMode::k_f16p);
}

}  // namespace linnet::vulkan
