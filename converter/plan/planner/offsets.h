// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "converter/plan/planner/lower_bound.h"
#include "converter/plan/planner/plan_problem.h"

namespace linnet::planner {

struct Offsets {
  std::vector<int64_t> offsets;  // per buffer, multiples of the alignment
  int64_t arena_bytes = 0;
  const char* method = "";  // "by size", "exact", ...
};

// Offsets at which no two buffers overlap while both live, with a small arena: several greedy
// orders, perturbations of the best, then exact search; each only while the arena exceeds
// `lower_bound`. Deterministic. Where millions of pairs of buffers live together: AllocateInTime.
Offsets AssignOffsets(std::span<const Buffer> buffers, int64_t lower_bound,
                      const PlannerOptions& options);

}  // namespace linnet::planner
