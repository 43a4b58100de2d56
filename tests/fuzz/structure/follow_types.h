// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/fuzz/structure/plan_file.h"
#include "tests/fuzz/structure/random.h"

namespace linnet::fuzz {

// Updates everything in each program that depends on the rest: outputs get the types of their ops'
// rules, their extents vary where those of the inputs do, buffers and weights get enough room, and
// required features are named. Steps that their op's rule refuses stay as they are.
void FollowTypes(PlanFile& file, Random& random);

// May this step be added: does the op's rule accept these inputs?
bool RuleTakes(PlanFile& file, schema::ProgramT& program, const schema::StepT& step);

}  // namespace linnet::fuzz
