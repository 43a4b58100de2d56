// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/plan/plan_view.h"

namespace linnet {

// The error of step `index` of some program, whose op FindOp does not know. Is it one of
// op_list.def, then this program was linked without it (runtime/ops/linked_ops.h): kUnsupported,
// and `*diagnostic` (may be null) names every op that the plan lacks here, and the plans that the
// program was linked for. Else the number comes from a damaged plan: kInvalidPlan.
Status UnknownOp(const PlanView& view, const PlanStep& step, int32_t index, Diagnostic* diagnostic);

}  // namespace linnet
