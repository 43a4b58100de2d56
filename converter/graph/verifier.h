// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/status.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// Checks the invariants that every pass relies on and has to keep: edges are in the lists of both
// ends and their slots exist, every data input has one edge, names are unique, there is no cycle
// but through NextIteration->Merge, a constant has as many bytes as its type says, and the types of
// Linnet ops and structured nodes are those that they infer. Internal (a bug in the converter),
// with all problems and their nodes.
absl::Status VerifyGraph(const Graph& graph);

}  // namespace linnet::converter
