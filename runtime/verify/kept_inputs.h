// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/core/region.h"
#include "runtime/verify/verify.h"

namespace linnet {

// Finds the inputs of a checked program that a run leaves as the caller wrote them: whose bytes no
// step writes, in any region, and no other input has. Reads the program's places of tensors, so a
// plan cannot claim it. A step whose output is its input's own bytes (a view) writes nothing.
// `kept` has one entry per input. Temporary memory comes from the region's allocator. Time is
// O(n log n) in the number of inputs and outputs of steps. kNoMemory.
Status FindKeptInputs(const VerifiedProgram& program, const Region& region, std::span<bool> kept);

}  // namespace linnet
