// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "converter/graph/problems.h"
#include "converter/report/report.h"

namespace linnet::converter {

// The drawing of a graph with the boxes of problems marked, and how data gets there.
struct ProblemDrawing {
  Drawing drawing;
  // By problem: the boxes of a shortest way from an input to its box, both included; that box alone
  // where no input leads there; nothing where it has no box.
  std::vector<std::vector<int>> paths;
};

// A problem's box is that of its node; of a node in a function, that of the one that calls it: the
// box with the longest name that the problem's node continues behind a slash. A drawing of more
// than 2,000 boxes is cut to these, the paths to them, and what is at most three arrows away;
// without problems it is left as it is.
ProblemDrawing DrawProblems(Drawing drawing, std::span<const Problem> problems);
// A block for each problem: its text and its path, whose parts lead to the drawing's boxes.
std::string ProblemsHtml(const ProblemDrawing& drawn, std::span<const Problem> problems);

}  // namespace linnet::converter
