// SPDX-License-Identifier: Apache-2.0
// _Retval(state) => _Retval(Reshape(state)), a copy: when the caller reads the output, or when the
// next value of another state is copied, the state itself may hold its next value already.
#include "converter/pass/passes.h"

#include "converter/graph/session_state.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {

absl::StatusOr<int> CopyFetchedState(Graph& graph, const PassContext&) {
  int copies = 0;
  for (Node* node : graph.op_nodes()) {
    if (node->node_class() != NodeClass::kRetval || !IsState(*node->input(0).node)) continue;
    if (absl::Status status = CopyResult(graph, node); !status.ok()) return status;
    ++copies;
  }
  return copies;
}

}  // namespace linnet::converter
