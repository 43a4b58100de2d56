// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "converter/graph/problems.h"
#include "converter/report/report.h"

namespace linnet::converter {

// Where problems are in the drawing of a graph, and how data gets there.

// The box of the node with this name. Of a node in a function, the one that calls it: the box with
// the longest name that `node` continues behind a slash. -1 where there is none.
int BoxOfNode(const Drawing& drawing, const std::string& node);
// The boxes of a shortest way from an input to `box`, both included; `box` alone where no input
// leads there.
std::vector<int> PathTo(const Drawing& drawing, int box);
// The drawing with the problems' boxes marked. One of more than 2,000 boxes is cut to these, the
// paths to them, and what is at most three arrows away.
Drawing AroundProblems(Drawing drawing, std::span<const Problem> problems);
// A block for each problem: its text, and the path to it, whose parts lead to the drawing's boxes.
// `drawing` is what AroundProblems returned.
std::string ProblemsHtml(const Drawing& drawing, std::span<const Problem> problems);

}  // namespace linnet::converter
