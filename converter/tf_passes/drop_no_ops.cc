// SPDX-License-Identifier: Apache-2.0
// TensorFlow ops that an inference does not need:
//   control edge from something without effects   =>  nothing: it orders nothing
//   Identity(N), StopGradient, PreventGradient,
//   CheckNumerics, Snapshot, Print,
//   _ListToArray, _ArrayToList                    =>  its inputs
//   NoOp, Assert, PrintV2                         =>  its control inputs' order, handed on
// EnsureShape is legalize's to check. A node with control inputs that mean something is kept, as
// TensorFlow's RemoveIdentityNodes keeps it, and so is one that reads a Switch (control flow hangs
// on it) or a reference. A node is without effects when neither it nor anything it depends on is
// stateful or control flow.
#include "converter/pass/passes.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "converter/graph/algorithm.h"
#include "converter/graph/tensorflow/dtypes.h"

namespace linnet::converter {
namespace {

// Output i is input i.
constexpr std::array kPassThrough = {
    std::string_view("Identity"),      std::string_view("IdentityN"),
    std::string_view("StopGradient"),  std::string_view("PreventGradient"),
    std::string_view("CheckNumerics"), std::string_view("CheckNumericsV2"),
    std::string_view("Snapshot"),      std::string_view("DebugGradientIdentity"),
    std::string_view("_ListToArray"),  std::string_view("_ArrayToList"),
    std::string_view("Print")};
// Nothing comes out.
constexpr std::array kSilent = {std::string_view("NoOp"), std::string_view("Assert"),
                                std::string_view("PrintV2")};

bool Contains(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool IsPassThrough(const Node& node) { return Contains(kPassThrough, node.op_name()); }
bool IsSilent(const Node& node) { return Contains(kSilent, node.op_name()); }

bool IsPure(const Node& node) {
  switch (node.node_class()) {
    case NodeClass::kConstant:
    case NodeClass::kArg:
    case NodeClass::kOp:
    case NodeClass::kPlaceholder:
    case NodeClass::kIdentity:
    case NodeClass::kMetadata:
    case NodeClass::kNoOp:
      return true;
    case NodeClass::kOther:
      return IsSilent(node) || IsPassThrough(node) ||
             (node.op_def() != nullptr && !node.op_def()->is_stateful());
    default:
      return false;
  }
}

// Control edges from nodes that nothing could notice, and whose inputs nothing could notice.
int RemoveEffectlessControlEdges(Graph& graph) {
  std::vector<bool> effectless(static_cast<size_t>(graph.num_node_ids()), false);
  const auto index = [](const Node* node) { return static_cast<size_t>(node->id()); };
  for (const Node* node : TopologicalOrder(graph)) {
    const auto edges = node->in_edges();
    effectless[index(node)] =
        IsPure(*node) && std::all_of(edges.begin(), edges.end(), [&](const Edge* edge) {
          return edge->src->IsSource() || effectless[index(edge->src)];
        });
  }
  int removed = 0;
  for (const Edge* edge : graph.edges()) {
    if (!edge->IsControlEdge() || edge->src->IsSource() || edge->dst->IsSink()) continue;
    if (!effectless[index(edge->src)]) continue;
    graph.RemoveControlEdge(edge);
    ++removed;
  }
  return removed;
}

bool HasControlInput(const Node& node) {
  for (const Edge* edge : node.in_edges())
    if (edge->IsControlEdge() && !edge->src->IsSource()) return true;
  return false;
}

bool IsRead(const Node& node) {
  for (const Edge* edge : node.out_edges())
    if (!edge->dst->IsSink()) return true;
  return false;
}

bool MayPassThrough(const Node& node) {
  if (!IsPassThrough(node) || HasControlInput(node) || !IsRead(node)) return false;
  // Of some, attributes say separately what goes in and what comes out.
  const auto taken = node.tf_input_types(), given = node.tf_output_types();
  if (taken.size() < given.size() || !std::equal(given.begin(), given.end(), taken.begin()))
    return false;
  for (int slot = 0; slot < node.num_outputs(); ++slot) {
    const Output input = node.input(slot);
    if (!input) return false;
    const NodeClass producer = input.node->node_class();
    if (producer == NodeClass::kSwitch || producer == NodeClass::kRecv) return false;
    const auto types = input.node->tf_output_types();
    if (static_cast<size_t>(input.index) < types.size() &&
        IsRefType(types[static_cast<size_t>(input.index)]))
      return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<int> DropNoOps(Graph& graph, const PassContext&) {
  int changes = RemoveEffectlessControlEdges(graph);
  for (Node* node : TopologicalOrder(graph)) {
    if (IsSilent(*node)) {
      graph.ReplaceNode(node, {});
      ++changes;
    } else if (MayPassThrough(*node)) {
      std::vector<Output> values;
      for (int slot = 0; slot < node->num_outputs(); ++slot) values.push_back(node->input(slot));
      graph.ReplaceNode(node, values);
      ++changes;
    }
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
