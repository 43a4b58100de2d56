// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

struct InlineOptions {
  // True for calls that must stay under their name, as IdentityN, since the user refers to them.
  std::function<bool(std::string_view name)> keeps_name;
  // True for nodes whose outputs are all fed, so that their inputs are not needed.
  std::function<bool(const Node& node)> is_fed;
  std::vector<std::string>* notes = nullptr;  // for warnings
  // Bounds the graph, since a few nested functions can grow exponentially.
  int max_nodes = 1'000'000;
  // Bounds the bytes of constants (see FunctionBodies) and of names (see TakeNames); counted down.
  // Null: each has a bound of its own.
  int64_t* constant_room = nullptr;
};

// Replaces the calls (see IsCall) on which `roots` depend, through data or control edges, by the
// bodies of their functions, and likewise the calls in those bodies. Bodies are instantiated once
// per function and choice of attributes. Calls on which no root depends, and the functions of If,
// While and Case, stay. Returns the number of calls replaced.
// InvalidArgument with all problems: a missing function, a recursive one (with the cycle), a call
// that does not fit its function, too many nodes, and the errors of InstantiateFunction.
absl::StatusOr<int> InlineCalls(Graph* graph, const std::vector<Node*>& roots,
                                const InlineOptions& options);

}  // namespace linnet::converter
