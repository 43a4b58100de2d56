// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/fuzz/structure/plan_file.h"
#include "tests/fuzz/structure/random.h"

namespace linnet::fuzz {

// Makes what follows from the rest of each program follow again: outputs have the types of their
// ops' rules, their extents vary where the inputs' do, buffers and weights have room, and features
// are named. Steps whose rule refuses them stay as they are.
void FollowTypes(PlanFile& file, Random& random);

// May a step be added as it is: does the op's rule take these inputs?
bool RuleTakes(PlanFile& file, schema::ProgramT& program, const schema::StepT& step);

}  // namespace linnet::fuzz
