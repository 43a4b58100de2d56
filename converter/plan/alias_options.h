// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "converter/plan/planner/plan_problem.h"
#include "converter/plan/program.h"

namespace linnet::converter {

// Which tensors of a step may share memory, as its op permits; their numbers are those of
// `tensors`, and `step` of the options is not set. `layout`: of the memory that is planned; only
// options between tensors in it mean anything. `varies`: a tensor or an attribute of the step has
// extents that vary.
std::vector<planner::AliasOption> AliasesOf(const Program::Step& step,
                                            std::span<const Program::Tensor> tensors, Layout layout,
                                            bool varies);

// A list that a loop writes to need not be copied for each element: where nothing else of the body
// reads a variable, the step that makes its next value may do that in its place
// (Tensor::overwrites).
void OverwriteVariables(const Program::Region& body, std::span<const int> variables,
                        std::span<Program::Tensor> tensors);

}  // namespace linnet::converter
