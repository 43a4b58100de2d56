// SPDX-License-Identifier: Apache-2.0
// Runs every op's shape rule again, producers first, and counts the outputs whose type changed. The
// legaliser infers as it goes, so this finds work only after a pass changed attributes in place.
#include "converter/pass/passes.h"

#include <vector>

#include "converter/graph/algorithm.h"

namespace linnet::converter {

absl::StatusOr<int> InferShapes(Graph& graph, const PassContext&) {
  int changed = 0;
  for (Node* node : TopologicalOrder(graph)) {
    if (node->node_class() != NodeClass::kOp) continue;
    const std::vector<TensorType> before(node->types().begin(), node->types().end());
    if (absl::Status status = graph.InferNode(node); !status.ok()) return status;
    for (int i = 0; i < node->num_outputs(); ++i)
      changed += i >= static_cast<int>(before.size()) || node->type(i) != before[i];
  }
  return changed;
}

}  // namespace linnet::converter
