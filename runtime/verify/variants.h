// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/verify/verify.h"

namespace linnet {

// Checks that a session may choose among the programs of a signature, and may go on with another
// one: every signature has exactly one program of the variant host and at most one of each other,
// those of the host come first in the plan, and all programs of a signature have the same inputs
// and outputs. Sets VerifiedProgram::signature in `verified`, which has one entry per program.
// Takes temporary memory from `region`'s allocator; time n log n in the number of programs n.
// kInvalidPlan, kNoMemory.
Status CheckVariants(const PlanView& view, const Region& region,
                     std::span<VerifiedProgram> verified, Diagnostic* diagnostic);

}  // namespace linnet
