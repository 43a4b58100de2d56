// SPDX-License-Identifier: Apache-2.0
// _Retval(state) => _Retval(Reshape(state)), a copy: by the time somebody reads the output, or the
// next value of another state is taken, the state has its next value itself.
#include "converter/pass/passes.h"

#include "converter/graph/session_state.h"
#include "runtime/ops/reshape.h"

namespace linnet::converter {

absl::StatusOr<int> CopyFetchedState(Graph& graph, const PassContext&) {
  int copies = 0;
  for (Node* node : graph.op_nodes()) {
    if (node->node_class() != NodeClass::kRetval || !IsState(*node->input(0).node)) continue;
    const Output state = node->input(0);
    ReshapeAttrs attrs;
    attrs.shape = state.node->type().shape;
    absl::StatusOr<Node*> copy =
        graph.AddOp(graph.UniqueName(node->name() + "/copy"), attrs, {state});
    if (!copy.ok()) return copy.status();
    (*copy)->AddSources(*node);
    graph.SetInput(node, 0, {*copy, 0});
    ++copies;
  }
  return copies;
}

}  // namespace linnet::converter
