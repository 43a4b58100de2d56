// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "converter/plan/planner/lower_bound.h"

namespace linnet::planner {

// How many pairs of buffers live at the same time, counting no further than `most`: n log n.
int64_t CountConflicts(std::span<const Buffer> buffers, int64_t most);

// Offsets as a best-fit allocator would give them that walks through time: buffers in the order in
// which their lives begin, the larger of two first, each in the tightest gap that is free by then,
// else at the end. n log n, while any search for a smaller arena looks at every pair of buffers
// that live at the same time.
std::vector<int64_t> AllocateInTime(std::span<const Buffer> buffers, int64_t alignment);

}  // namespace linnet::planner
