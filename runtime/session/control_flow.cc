// SPDX-License-Identifier: Apache-2.0
// Steps with a control. The variables of a While are its outputs: its first inputs are copied to
// them, condition and body read them in place, and after each iteration the body's results are
// copied to them, one after the other. An If runs one of its two regions and copies the results to
// its outputs. Nothing is copied when the plan placed both at the same address. kMaxRegionDepth
// bounds the nesting and with it the stack.
#include <cstring>

#include "runtime/session/interpreter.h"

namespace linnet {

Status Interpreter::RunRegion(int32_t region) {
  const PlanRegion& steps = program().regions[region];
  return RunSteps(steps.first, steps.count);
}

Status Interpreter::RunControl(int32_t index) {
  const PlanStep& step = program().steps[index];
  if (step.control == schema::Control::Copy) return segments_->Fetch(index);
  return step.control == schema::Control::While ? RunWhile(step) : RunIf(step);
}

Status Interpreter::RunIf(const PlanStep& step) {
  const bool taken = IsTrue(step.inputs[0]);
  const int32_t arm = step.regions[taken ? 0 : 1];
  LINNET_RETURN_IF_ERROR(RunRegion(arm));
  CopyAll(program().regions[arm].results, step.outputs);
  return {};
}

Status Interpreter::RunWhile(const PlanStep& step) {
  const int32_t condition = step.regions[0], body = step.regions[1];
  CopyAll(step.inputs.first(step.outputs.size()), step.outputs);
  for (;;) {
    LINNET_RETURN_IF_ERROR(RunRegion(condition));
    if (!IsTrue(program().regions[condition].results[0])) return {};
    // Both regions may be empty, and then no step checks.
    LINNET_RETURN_IF_ERROR(CheckCancelled());
    if (++iterations_ > most_iterations_) return {StatusCode::kCancelled, "a loop does not end"};
    LINNET_RETURN_IF_ERROR(RunRegion(body));
    CopyAll(program().regions[body].results, step.outputs);
  }
}

bool Interpreter::IsTrue(int32_t predicate) const {
  return *static_cast<const uint8_t*>(Address(predicate)) != 0;
}

void Interpreter::CopyAll(std::span<const int32_t> from, std::span<const int32_t> to) const {
  for (size_t i = 0; i < to.size(); ++i) {
    const void* source = Address(from[i]);
    void* target = Address(to[i]);
    // In an untrusted plan they may overlap.
    if (source != target)
      std::memmove(target, source, static_cast<size_t>(program().tensors[to[i]].type.bytes()));
  }
}

}  // namespace linnet
