// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "converter/plan/planner/lower_bound.h"
#include "converter/plan/planner/plan_problem.h"

namespace linnet::planner {

// Which values share a buffer, and where they lie in it.
struct Sharing {
  std::vector<Buffer> buffers;
  std::vector<Place> places;  // per value
  std::vector<int> taken;     // indices of options, ascending
  int64_t lower_bound = 0;    // of an arena for the buffers
  bool area_grew = false;     // kPeak took an alias that kArea would not have taken
};

enum class SharePolicy {
  kNone,  // each value has a buffer of its own
  kPeak,  // an alias is taken unless it raises the lower bound
  kArea,  // ... unless it raises the lower bound or the sum of bytes x lifetime
};

// Decides which aliases to take under `order`. Legal ones only: where two values of a buffer
// overlap, either one is dead before the other is written, or the bytes they have in common are
// the same by a chain of kView and kPart aliases, or one overwrites the other by kOverwrite.
// Aliases between buffers that one value fills come first, as they can only help; then all parts
// of a concatenation together or, when that costs memory, one by one.
Sharing ShareBuffers(const MemoryProblem& problem, std::span<const int> order,
                     const PlannerOptions& options, SharePolicy policy);

// Whether `option` could be legal under some order: what does not depend on lifetimes.
bool IsWellFormed(const MemoryProblem& problem, const AliasOption& option,
                  const PlannerOptions& options);

}  // namespace linnet::planner
