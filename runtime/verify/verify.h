// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/ops/op_def.h"
#include "runtime/plan/plan_view.h"

namespace linnet {

// A step whose meaning has been checked.
struct VerifiedStep {
  const OpDef* def = nullptr;  // for a step with a control, see ControlDef (verify/regions.h)
  OpKind kind = {};
  schema::Control control = schema::Control::None;
  const void* attrs = nullptr;  // the op's attribute struct, decoded; extents at their maximum
  std::span<const int32_t> inputs, outputs;
  const char* source = "";
  // An extent of a tensor or an attribute varies, so each run computes types from the symbols.
  bool varies = false;
  bool in_strips = false;  // runs together with others (PlanProgram::strips)
};

struct VerifiedProgram {
  const PlanProgram* plan = nullptr;
  std::span<const VerifiedStep> steps;  // in the order of plan->steps
  int32_t signature = 0;  // the program for the host of the same signature (CheckVariants)
};

// Checks the meaning of a plan's programs by the ops' own rules: ops are known, attributes are in
// range, every tensor is written before it is read, and in a region that may read it
// (verify/regions.h), outputs have the types that the shape rules infer, nothing writes a weight,
// program inputs are in the host's arena, no program output is a state or in the memory of another
// device, and a step other than a copy uses only the memory of its own device. A program that
// passes cannot make a run access anything but its own tensors. Extents that vary are checked with
// all symbols at their maximum; runs check other values by the same rules.
//
// `verified` has one entry per program. `file` is the whole plan, because some shape rules read
// constants. Steps and decoded attributes are allocated in `region`; temporary memory comes from
// its allocator. Takes time linear in the size of the programs, except for the inputs of one step
// (overlap.h). On failure `*diagnostic` (may be null) names step, source node, op and reason.
// kInvalidPlan; kUnsupported for an op that was not linked into this program (unknown_op.h);
// kNoMemory.
Status VerifyPrograms(const PlanView& view, std::span<const std::byte> file, Region& region,
                      std::span<VerifiedProgram> verified, Diagnostic* diagnostic);

}  // namespace linnet
