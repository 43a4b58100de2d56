// SPDX-License-Identifier: Apache-2.0
// Edges of the graph: adding, removing, rewiring, and the checks of TensorFlow's API.
#include <algorithm>

#include "converter/graph/graph.h"
#include "converter/graph/tensorflow/op_binding.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

Edge* FirstInto(const Node& node, int slot) {
  const auto edge = std::ranges::find(node.in_edges(), slot, &Edge::dst_input);
  return edge == node.in_edges().end() ? nullptr : *edge;
}

}  // namespace

void Graph::Disconnect(Edge* edge) {
  Node* dst = edge->dst;
  edge->src->out_edges_.Remove(edge);
  dst->in_edges_.Remove(edge);
  ++structure_version_;
  if (edge->IsControlEdge()) return;
  // While a loop is rewired, a slot may have two edges for a moment: the other one takes over.
  Edge*& input = dst->inputs_[edge->dst_input];
  const bool is_doubled = dst->num_doubled_ > 0;
  if (input == edge) input = is_doubled ? FirstInto(*dst, edge->dst_input) : nullptr;
  if (is_doubled && input != nullptr) --dst->num_doubled_;
}

void Graph::RemoveNode(Node* node) {
  LINNET_DCHECK(node->IsOp() && FindNodeId(node->id()) == node);
  while (!node->in_edges_.empty()) RemoveEdge(node->in_edges_.back());
  while (!node->out_edges_.empty()) RemoveEdge(node->out_edges_.back());
  Forget(node);
  shapes_.Forget(node);
  --num_nodes_;
  ++structure_version_;
  nodes_[node->id_] = nullptr;
  node->~Node();
  memory_.deallocate(node, sizeof(Node), alignof(Node));
}

const Edge* Graph::AddEdge(Node* src, int src_output, Node* dst, int dst_input) {
  LINNET_DCHECK((src_output == kControlSlot) == (dst_input == kControlSlot));
  Edge* edge = new (memory_.allocate(sizeof(Edge), alignof(Edge)))
      Edge{src, dst, num_edge_ids(), src_output, dst_input};
  edges_.push_back(edge);
  ++num_edges_;
  ++structure_version_;
  src->out_edges_.Append(edge);
  dst->in_edges_.Append(edge);
  if (edge->IsControlEdge()) return edge;
  if (dst_input >= dst->num_inputs()) dst->inputs_.resize(dst_input + 1);
  Edge*& input = dst->inputs_[dst_input];
  if (input == nullptr)
    input = edge;
  else
    ++dst->num_doubled_;
  return edge;
}

const Edge* Graph::AddControlEdge(Node* src, Node* dst, bool allow_duplicates) {
  if (!allow_duplicates) {
    // The shorter list decides: Source and Sink have an edge for nearly every node.
    const auto is_it = [&](const Edge* edge) {
      return edge->IsControlEdge() && edge->src == src && edge->dst == dst;
    };
    const bool from_src = src->out_edges_.size() < dst->in_edges_.size();
    if (from_src ? std::ranges::any_of(src->out_edges_, is_it)
                 : std::ranges::any_of(dst->in_edges_, is_it))
      return nullptr;
  }
  return AddEdge(src, kControlSlot, dst, kControlSlot);
}

void Graph::RemoveEdge(const Edge* edge) {
  Edge* owned = edges_[edge->id];
  LINNET_DCHECK(owned == edge);
  Disconnect(owned);
  edges_[owned->id] = nullptr;
  memory_.deallocate(owned, sizeof(Edge), alignof(Edge));
  --num_edges_;
}

void Graph::RemoveControlEdge(const Edge* edge) {
  LINNET_DCHECK(edge->IsControlEdge());
  RemoveEdge(edge);
}

absl::Status Graph::UpdateEdge(Node* new_src, int new_src_output, Node* dst, int dst_input) {
  if (absl::Status s = IsValidOutputTensor(new_src, new_src_output); !s.ok()) return s;
  if (absl::Status s = IsValidInputTensor(dst, dst_input); !s.ok()) return s;
  const Edge* old = dst->inputs_[dst_input];
  if (old == nullptr)
    return absl::InvalidArgumentError(
        fmt::format("Couldn't find edge to {}", FormatNode(dst->name())));
  RemoveEdge(old);
  AddEdge(new_src, new_src_output, dst, dst_input);
  return absl::OkStatus();
}

void Graph::ReplaceUses(Output from, Output to) {
  for (Edge* edge : from.node->Uses(from.index)) {
    if (edge->dst == to.node) continue;
    Node* dst = edge->dst;
    const int slot = edge->dst_input;
    RemoveEdge(edge);
    AddEdge(to.node, to.index, dst, slot);
  }
  if (!shapes_.empty()) shapes_.MoveSources(from, to);
}

void Graph::ReplaceNode(Node* node, std::span<const Output> to) {
  for (size_t i = 0; i < to.size(); ++i)
    if (to[i]) ReplaceUses({node, static_cast<int>(i)}, to[i]);
  std::vector<Node*> before, after;
  for (const Edge* edge : node->out_edges_)
    if (edge->IsControlEdge() && !edge->dst->IsSink()) after.push_back(edge->dst);
  if (!to.empty() && to[0]) {
    before.push_back(to[0].node);
  } else {
    for (const Edge* edge : node->in_edges_)
      if (edge->IsControlEdge() && !edge->src->IsSource()) before.push_back(edge->src);
  }
  for (Node* dst : after)
    for (Node* src : before)
      if (src != dst) AddControlEdge(src, dst);
  RemoveNode(node);
}

void Graph::SetInput(Node* dst, int slot, Output src) {
  if (slot < dst->num_inputs() && dst->inputs_[slot] != nullptr) RemoveEdge(dst->inputs_[slot]);
  AddEdge(src.node, src.index, dst, slot);
}

void Graph::TruncateInputs(Node* dst, int num_inputs) {
  const std::vector<Edge*> in(dst->in_edges_.begin(), dst->in_edges_.end());
  for (const Edge* edge : in)
    if (edge->dst_input >= num_inputs) RemoveEdge(edge);
  if (dst->num_inputs() > num_inputs) dst->inputs_.resize(num_inputs);
}

absl::Status Graph::IsValidNode(const Node* node) const {
  if (node == nullptr) return absl::InvalidArgumentError("Node is null");
  const int id = node->id();
  if (id < 0) return absl::InvalidArgumentError(fmt::format("node id {} is less than zero", id));
  if (id >= num_node_ids())
    return absl::InvalidArgumentError(
        fmt::format("node id {} is >= than number of nodes in graph {}", id, num_node_ids()));
  if (nodes_[id] != node)
    return absl::InvalidArgumentError(
        fmt::format("Node with id {} is different from the passed in node. Does it belong to a "
                    "different graph?",
                    id));
  return absl::OkStatus();
}

absl::Status Graph::IsValidOutputTensor(const Node* node, int index) const {
  if (absl::Status s = IsValidNode(node); !s.ok()) return s;
  if (index >= 0 && index < node->num_outputs()) return absl::OkStatus();
  return absl::OutOfRangeError(
      fmt::format("Node '{}' (type: '{}', num of outputs: {}) does not have output {}",
                  node->name(), node->op_name(), node->num_outputs(), index));
}

absl::Status Graph::IsValidInputTensor(const Node* node, int index) const {
  if (absl::Status s = IsValidNode(node); !s.ok()) return s;
  if (index >= 0 && index < node->num_inputs()) return absl::OkStatus();
  return absl::OutOfRangeError(
      fmt::format("Node '{}' (type: '{}', num of inputs: {}) does not have input {}", node->name(),
                  node->op_name(), node->num_inputs(), index));
}

}  // namespace linnet::converter
