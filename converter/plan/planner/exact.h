// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "converter/plan/planner/lower_bound.h"
#include "converter/plan/planner/plan_problem.h"

namespace linnet::planner {

// Branch and bound over offsets: the smallest arena below `arena_bytes`, or the best one found
// within options.exact_nodes and options.exact_work; empty when there is none or none was found.
// Stops early at `lower_bound`.
std::vector<int64_t> FindOffsetsBelow(std::span<const Buffer> buffers, int64_t arena_bytes,
                                      int64_t lower_bound, const PlannerOptions& options);

}  // namespace linnet::planner
