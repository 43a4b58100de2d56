// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "converter/plan/planner/plan_problem.h"

namespace linnet::planner {

// Chooses an order of the steps, which values share memory, and where everything lies. Pure and
// deterministic. REQUIRES: FindProblemError finds nothing in `problem`; its alias options need not
// be legal. The arena is never larger than what the order given would need.
MemoryPlan PlanMemory(const MemoryProblem& problem, const PlannerOptions& options = {});

// Empty, or what is wrong with `plan`: an invalid order, values that overlap while both are needed,
// misplaced buffers, sums that do not add up. Shares no decisions with the planner: tests check it
// with this.
std::string FindPlanError(const MemoryProblem& problem, const MemoryPlan& plan,
                          const PlannerOptions& options = {});

}  // namespace linnet::planner
