// SPDX-License-Identifier: Apache-2.0
// Removes every node from which no _Retval can be reached, _Arg excepted: the inputs of a plan are
// its signature, used or not.
#include "converter/pass/passes.h"

#include <vector>

#include "converter/graph/algorithm.h"

namespace linnet::converter {

absl::StatusOr<int> DropDead(Graph& graph, const PassContext&) {
  std::vector<Node*> roots;
  for (Node* node : graph.op_nodes())
    if (node->node_class() == NodeClass::kRetval) roots.push_back(node);
  const int before = graph.num_nodes();
  PruneForReverseReachability(&graph, roots, /*keep_args=*/true);
  return before - graph.num_nodes();
}

}  // namespace linnet::converter
