// SPDX-License-Identifier: Apache-2.0
// TensorFlow ops that an inference does not need:
//   control edge from something without effects   =>  nothing: it orders nothing
//   Identity(N), StopGradient, PreventGradient,
//   CheckNumerics, Snapshot, Print,
//   _ListToArray, _ArrayToList                    =>  its inputs
//   NoOp, Assert, PrintV2                         =>  control edges from what it waits for to what
//                                                     waits for it
// EnsureShape stays: legalize checks it. A node with control inputs that mean something is kept, as
// TensorFlow's RemoveIdentityNodes keeps it, and so is one that reads a Switch (whose branch
// depends on it) or a reference. A node is without effects when neither it nor anything it depends
// on is stateful or control flow.
#include "converter/pass/passes.h"

#include <algorithm>
#include <vector>

#include "converter/graph/algorithm.h"
#include "converter/graph/tensorflow/dtypes.h"

namespace linnet::converter {
namespace {

// Output i is input i.
bool IsPassThrough(const Node& node) {
  return node.IsAnyOf({"Identity", "IdentityN", "StopGradient", "PreventGradient", "CheckNumerics",
                       "CheckNumericsV2", "Snapshot", "DebugGradientIdentity", "_ListToArray",
                       "_ArrayToList", "Print"});
}
// Has no outputs, and no effect that an inference needs.
bool IsSilent(const Node& node) { return node.IsAnyOf({"NoOp", "Assert", "PrintV2"}); }

bool IsPure(const Node& node) {
  using enum NodeClass;
  const NodeClass c = node.node_class();
  if (c == kOther)
    return IsSilent(node) || IsPassThrough(node) ||
           (node.op_def() != nullptr && !node.op_def()->is_stateful());
  return c == kConstant || c == kArg || c == kOp || c == kPlaceholder || c == kIdentity ||
         c == kMetadata || c == kNoOp;
}

// Removes control edges out of nodes without effects (see above).
int RemoveEffectlessControlEdges(Graph& graph) {
  std::vector<bool> effectless(graph.num_node_ids(), false);
  for (const Node* node : TopologicalOrder(graph))
    effectless[node->id()] =
        IsPure(*node) && std::ranges::all_of(node->in_edges(), [&](const Edge* edge) {
          return edge->src->IsSource() || effectless[edge->src->id()];
        });
  int removed = 0;
  for (const Edge* edge : graph.edges()) {
    if (!edge->IsControlEdge() || edge->src->IsSource() || edge->dst->IsSink()) continue;
    if (!effectless[edge->src->id()]) continue;
    graph.RemoveControlEdge(edge);
    ++removed;
  }
  return removed;
}

bool HasControlInput(const Node& node) {
  return std::ranges::any_of(node.in_edges(), [](const Edge* edge) {
    return edge->IsControlEdge() && !edge->src->IsSource();
  });
}

bool MayPassThrough(const Node& node) {
  if (!IsPassThrough(node) || HasControlInput(node) || !IsRead(node)) return false;
  // Some ops have separate attributes for the types of inputs and outputs, which may disagree.
  const auto taken = node.tf_input_types(), given = node.tf_output_types();
  if (taken.size() < given.size() || !std::equal(given.begin(), given.end(), taken.begin()))
    return false;
  for (int slot = 0; slot < node.num_outputs(); ++slot) {
    const Output input = node.input(slot);
    if (!input) return false;
    const NodeClass producer = input.node->node_class();
    if (producer == NodeClass::kSwitch || producer == NodeClass::kRecv) return false;
    const auto types = input.node->tf_output_types();
    if (static_cast<size_t>(input.index) < types.size() && IsRefType(types[input.index]))
      return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<int> DropNoOps(Graph& graph, const PassContext&) {
  int changes = RemoveEffectlessControlEdges(graph);
  for (Node* node : TopologicalOrder(graph)) {
    if (!IsSilent(*node) && !MayPassThrough(*node)) continue;
    std::vector<Output> values = node->inputs();
    values.resize(static_cast<size_t>(node->num_outputs()));
    graph.ReplaceNode(node, values);
    ++changes;
  }
  std::vector<Node*> roots;
  for (Node* node : graph.op_nodes())
    if (node->node_class() == NodeClass::kRetval) roots.push_back(node);
  const int before = graph.num_nodes();
  if (!roots.empty()) PruneForReverseReachability(&graph, roots);
  FixupSourceAndSinkEdges(&graph);
  return changes + before - graph.num_nodes();
}

}  // namespace linnet::converter
