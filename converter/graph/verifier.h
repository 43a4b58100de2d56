// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/status.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// What every pass may rely on and must leave: edges known at both ends and in range, every data
// slot filled by one edge, unique names, no cycle apart from NextIteration->Merge, constants with
// as many bytes as their type, and for Linnet ops types that their shape rule gives. Internal (a
// bug of ours), with everything found, each naming its node.
absl::Status VerifyGraph(const Graph& graph);

}  // namespace linnet::converter
