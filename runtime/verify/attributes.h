// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/region.h"
#include "runtime/plan/extents.h"
#include "runtime/verify/verify.h"

namespace linnet {

// Gives each step of the program memory for its decoded attributes: parts of one piece, because
// pieces of their own would be several times larger. False when there is not enough.
bool PlaceAttributes(const PlanProgram& program, Region& region, VerifiedStep* steps);

// Decodes the attributes of a step, with the extents of the moment, to where PlaceAttributes placed
// them. Returns what is wrong, or null.
const char* DecodeAttributes(const PlanStep& step, const OpDef& def, const Extents& extents,
                             VerifiedStep* out);

}  // namespace linnet
