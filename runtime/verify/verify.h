// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/ops/op_def.h"
#include "runtime/plan/plan_view.h"

namespace linnet {

// A step whose meaning has been checked.
struct VerifiedStep {
  const OpDef* def = nullptr;  // of a step with a control: its name (verify/regions.h)
  OpKind kind = {};
  schema::Control control = schema::Control::None;
  const void* attrs = nullptr;  // the op's attribute struct, decoded; extents at their largest
  std::span<const int32_t> inputs, outputs;
  const char* source = "";
  // Has a tensor or an attribute whose extent varies: types follow from the symbols, at each run.
  bool varies = false;
};

struct VerifiedProgram {
  const PlanProgram* plan = nullptr;
  std::span<const VerifiedStep> steps;  // as plan->steps
};

// Checks what a plan's programs mean, by the ops' own rules: known ops, attributes in range, every
// tensor written before it is read, and in its own region (verify/regions.h), outputs exactly as
// the shape rule says, nothing writes a weight, program inputs and outputs in the arena, each step
// in the memory of its own device but for copies. After this, running the program touches nothing
// but the tensors it names. Extents that vary are checked with all symbols at their maximum,
// whatever steps set them to; those of other values by the same rules when running. `verified` has
// room for each program. Steps and decoded attributes are allocated in `region`, what is needed for
// a while elsewhere, once for all programs. On failure `*diagnostic` (may be null) names step,
// source node, op and reason. kInvalidPlan, kNoMemory. Linear in the size of the programs, but for
// the inputs of one step (overlap.h). `file` holds the whole plan: some shape rules read constants.
Status VerifyPrograms(const PlanView& view, std::span<const std::byte> file, Region& region,
                      std::span<VerifiedProgram> verified, Diagnostic* diagnostic);

}  // namespace linnet
