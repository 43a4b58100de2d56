// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/algorithm.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace linnet::converter {
namespace {

// The edge that closes a loop of the v1 control flow; it does not order anything.
bool IsBackEdge(const Edge& edge) {
  return edge.dst->node_class() == NodeClass::kMerge &&
         edge.src->node_class() == NodeClass::kNextIteration;
}

// Whether ids grow along every edge; then they are the topological order.
bool IdsAreInOrder(std::span<Node* const> nodes) {
  return std::ranges::all_of(nodes, [](const Node* node) {
    return std::ranges::all_of(node->in_edges(), [node](const Edge* edge) {
      return edge->src->id() < node->id() || IsBackEdge(*edge);
    });
  });
}

std::vector<Node*> OrderByReadiness(const Graph& graph, std::span<Node* const> nodes) {
  std::vector<int> pending(graph.num_node_ids(), 0);
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (const Node* node : nodes) {
    for (const Edge* edge : node->in_edges())
      if (edge->src != graph.source() && !IsBackEdge(*edge)) ++pending[node->id()];
    if (pending[node->id()] == 0) ready.push(node->id());
  }
  std::vector<Node*> order;
  order.reserve(nodes.size());
  while (!ready.empty()) {
    Node* node = graph.FindNodeId(ready.top());
    ready.pop();
    order.push_back(node);
    for (const Edge* edge : node->out_edges())
      if (edge->dst != graph.sink() && !IsBackEdge(*edge) && --pending[edge->dst->id()] == 0)
        ready.push(edge->dst->id());
  }
  return order;
}

std::vector<Node*> FindOrder(const Graph& graph) {
  std::vector<Node*> nodes = graph.op_nodes();
  return IdsAreInOrder(nodes) ? nodes : OrderByReadiness(graph, nodes);
}

}  // namespace

std::vector<Node*> TopologicalOrder(const Graph& graph) {
  Graph::KnownOrder& known = graph.known_order_;
  if (known.structure_version != graph.structure_version_)
    known = {FindOrder(graph), graph.structure_version_};
  LINNET_DCHECK(known.nodes == FindOrder(graph));
  return known.nodes;
}

bool IsRead(const Node& node) {
  return std::ranges::any_of(node.out_edges(), [](const Edge* e) { return !e->dst->IsSink(); });
}

bool FixupSourceAndSinkEdges(Graph* graph) {
  bool changed = false;
  for (Node* node : graph->op_nodes()) {
    if (node->in_edges().empty()) {
      graph->AddEdge(graph->source(), kControlSlot, node, kControlSlot);
      changed = true;
    }
    if (node->out_edges().empty()) {
      graph->AddEdge(node, kControlSlot, graph->sink(), kControlSlot);
      changed = true;
    }
  }
  return changed;
}

bool PruneForReverseReachability(Graph* graph, std::span<Node* const> roots, bool keep_args) {
  std::vector<bool> seen(graph->num_node_ids(), false);
  std::vector<Node*> stack;
  const auto visit = [&](Node* node) {
    if (seen[node->id()]) return;
    seen[node->id()] = true;
    stack.push_back(node);
  };
  for (Node* root : roots) visit(root);
  while (!stack.empty()) {
    const Node* node = stack.back();
    stack.pop_back();
    for (const Edge* edge : node->in_edges()) visit(edge->src);
  }
  bool removed = false;
  for (Node* node : graph->op_nodes()) {
    if (seen[node->id()] || (keep_args && node->node_class() == NodeClass::kArg)) continue;
    graph->RemoveNode(node);
    removed = true;
  }
  FixupSourceAndSinkEdges(graph);
  return removed;
}

}  // namespace linnet::converter
