// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "converter/plan/plan_problem.h"
#include "converter/plan/program.h"

namespace linnet::converter {

// Which tensors of a step may share memory, as its op permits; their numbers are those of
// `tensors`, and `step` of the options is not set. `varies`: a tensor or an attribute of the step
// has extents that vary.
std::vector<planner::AliasOption> AliasesOf(const Program::Step& step,
                                            std::span<const Program::Tensor> tensors, bool varies);

}  // namespace linnet::converter
