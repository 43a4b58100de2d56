// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "converter/plan/planner/plan_problem.h"

namespace linnet::planner {

// Moves buffers within the arena, which stays as large as it is, so that fewer cache lines go from
// one core to another. Threads share a tensor by ranges of its bytes: the first of two has the
// front half. Where a buffer lies across the middle of what lay there before, lines that one thread
// wrote belong to the other then, and it takes longer to fetch them from its cache than to write
// them. So each buffer goes to a place where shares are as they were: that of an earlier buffer of
// the same size, one that nobody used, or the middle of an earlier one. Deterministic.
void KeepShares(int64_t arena_bytes, int64_t alignment, std::vector<BufferPlace>* buffers);

}  // namespace linnet::planner
