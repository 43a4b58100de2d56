// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "converter/plan/planner/lower_bound.h"

namespace linnet::planner {

// How many pairs of buffers live at the same time, counting no further than `most`: n log n.
int64_t CountConflicts(std::span<const Buffer> buffers, int64_t most);

// Offsets as an allocator would give them that serves the buffers in the order in which they are
// born, the larger of two first: each the tightest gap that is free by then, else the end. n log n
// where any search for a smaller arena looks at every pair of buffers that live together.
std::vector<int64_t> AllocateInTime(std::span<const Buffer> buffers, int64_t alignment);

}  // namespace linnet::planner
