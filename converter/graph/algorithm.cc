// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/algorithm.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace linnet::converter {
namespace {

// Whether an edge closes a loop of TensorFlow 1; such an edge orders nothing.
bool IsBackEdge(const Edge& edge) {
  return edge.dst->node_class() == NodeClass::kMerge &&
         edge.src->node_class() == NodeClass::kNextIteration;
}

// Whether ids grow along every edge: then `nodes`, sorted by id, are in topological order.
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
  const int before = graph->num_edges();
  for (Node* node : graph->op_nodes()) {
    if (node->in_edges().empty()) graph->AddEdge(graph->source(), kControlSlot, node, kControlSlot);
    if (node->out_edges().empty()) graph->AddEdge(node, kControlSlot, graph->sink(), kControlSlot);
  }
  return graph->num_edges() > before;
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
  const int before = graph->num_nodes();
  for (Node* node : graph->op_nodes()) {
    const bool is_kept = keep_args && node->node_class() == NodeClass::kArg;
    if (!seen[node->id()] && !is_kept) graph->RemoveNode(node);
  }
  FixupSourceAndSinkEdges(graph);
  return graph->num_nodes() < before;
}

}  // namespace linnet::converter
