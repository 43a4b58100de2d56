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
  // A node that stays under its name, as IdentityN, because somebody asks for it by that.
  std::function<bool(std::string_view name)> keeps_name;
  // A node whose outputs all come from elsewhere: what it reads is not needed.
  std::function<bool(const Node& node)> is_fed;
  std::vector<std::string>* notes = nullptr;  // what is odd but no error
  // What a few nested functions may grow to.
  int max_nodes = 1'000'000;
  // Bytes that constants of bodies, written as a few repeated values, may take; counted down. Null:
  // the bound that ExpansionBudget has.
  int64_t* constant_room = nullptr;
};

// Replaces calls that `roots` need, through data or control edges, by what they call, and calls in
// there, until none is left: a function's own op, PartitionedCall, StatefulPartitionedCall. Bodies
// are instantiated once per function and choice of attributes. Calls that nobody needs, and the
// functions of If, While and Case, stay. Returns how many calls there were.
// InvalidArgument with all problems: a missing function, one that calls itself (the cycle is
// printed), a call that does not fit, too many nodes, whatever InstantiateFunction finds.
absl::StatusOr<int> InlineCalls(Graph* graph, const std::vector<Node*>& roots,
                                const InlineOptions& options);

}  // namespace linnet::converter
