// SPDX-License-Identifier: Apache-2.0
#include "converter/optimize/rewrite.h"

#include <algorithm>
#include <string>
#include <utility>

#include "converter/graph/algorithm.h"
#include "converter/graph/placement_wish.h"
#include "converter/optimize/match.h"
#include "runtime/ops/reshape.h"

namespace linnet::converter {
namespace {

bool IsRemovable(const Node& node) {
  return node.IsOp() && node.node_class() != NodeClass::kArg &&
         node.node_class() != NodeClass::kRetval;
}

bool HasConsumer(const Graph& graph, const Node& node) {
  return std::ranges::any_of(node.out_edges(),
                             [&](const Edge* edge) { return edge->dst != graph.sink(); });
}

// What a removed op leaves to the one that takes its place: StandFor for a node that is gone.
struct Estate {
  explicit Estate(const Node& node) : sources(node.sources()), wish(WishOf(node)) {}
  void LeaveTo(Node* heir) const {
    heir->AddSources(sources);
    Inherit(wish, heir);
  }
  std::vector<std::string> sources;
  PlacementWish wish;
};

}  // namespace

absl::StatusOr<int> RewriteToFixPoint(Graph& graph,
                                      const std::function<absl::StatusOr<bool>(Node*)>& rewrite) {
  int total = 0, changes = 0;
  do {
    changes = 0;
    std::vector<int> ids;  // ids survive the removal of nodes, pointers do not
    ids.reserve(static_cast<size_t>(graph.num_op_nodes()));
    for (const Node* node : TopologicalOrder(graph)) ids.push_back(node->id());
    for (int id : ids) {
      Node* node = graph.FindNodeId(id);
      if (node == nullptr) continue;
      if (IsRemovable(*node) && !HasConsumer(graph, *node)) continue;  // drop_dead removes it
      absl::StatusOr<bool> changed = rewrite(node);
      if (!changed.ok()) return changed.status();
      changes += *changed;
    }
    total += changes;
  } while (changes > 0);
  if (total > 0) FixupSourceAndSinkEdges(&graph);
  return total;
}

void RemoveUnused(Graph& graph, const std::vector<int>& ids, Node* heir) {
  for (const int id : ids) {
    std::vector<Estate> removed;  // ops, consumers first
    std::vector<int> candidates = {id};
    while (!candidates.empty()) {
      Node* candidate = graph.FindNodeId(candidates.back());
      candidates.pop_back();
      if (candidate == nullptr || candidate == heir) continue;
      if (!IsRemovable(*candidate) || HasConsumer(graph, *candidate)) continue;
      for (const Edge* edge : candidate->in_edges()) candidates.push_back(edge->src->id());
      if (candidate->node_class() == NodeClass::kOp) removed.emplace_back(*candidate);
      graph.RemoveNode(candidate);
    }
    if (heir == nullptr) continue;
    for (auto estate = removed.rbegin(); estate != removed.rend(); ++estate) estate->LeaveTo(heir);
  }
}

void Replace(Graph& graph, Node* root, Output replacement) {
  LINNET_DCHECK(replacement.node->type(replacement.index) == root->type());
  // A constant or an input stands for itself only; an op now also stands for what it replaces.
  Node* heir = replacement.node->node_class() == NodeClass::kOp ? replacement.node : nullptr;
  const Estate estate(*root);
  std::vector<int> producers;
  for (const Edge* edge : root->in_edges())
    if (edge->src != replacement.node) producers.push_back(edge->src->id());
  graph.ReplaceNode(root, {&replacement, 1});
  // Where a new op takes the place of several, the device that the last one asks for counts.
  if (heir != nullptr) Inherit(estate.wish, heir);
  RemoveUnused(graph, producers, heir);
  if (heir != nullptr) estate.LeaveTo(heir);
}

absl::StatusOr<bool> ReplaceWithOp(Graph& graph, Node* root, const OpAttrs& attrs,
                                   std::initializer_list<Output> inputs) {
  std::string name = root->name();
  absl::StatusOr<Node*> added = graph.AddOp(graph.UniqueName(name), attrs, inputs);
  if (!added.ok()) return added.status();
  Replace(graph, root, {*added, 0});
  graph.Rename(*added, std::move(name));
  return true;
}

void Absorb(Graph& graph, Node* root, Node* into) {
  std::string name = root->name();
  Replace(graph, root, {into, 0});
  graph.Rename(into, std::move(name));
}

void Rewire(Graph& graph, Node* node, int slot, Output input) {
  Node* old = slot < node->num_inputs() ? node->input(slot).node : nullptr;
  graph.SetInput(node, slot, input);
  if (old != nullptr) RemoveUnused(graph, {old->id()}, node);
}

Output AddConstantLike(Graph& graph, const Node& like, std::string_view suffix, Constant value) {
  Node* node = graph.AddConstant(graph.UniqueName(like.name() + "/" + std::string(suffix)),
                                 std::move(value));
  node->set_sources(like.sources());
  return {node, 0};
}

std::optional<Output> ChannelInput(Graph& graph, const Node& like, std::string_view suffix,
                                   Output value, double fallback, Output x) {
  if (!graph.ExtentsOf(x).back().is_constant()) return std::nullopt;
  const TensorType& type = TypeOf(x);
  const Shape shape{type.shape.back()};
  const Constant constant = value ? *ConstantOf(value) : FloatScalar(fallback);
  const auto elements = ChannelValues(constant, type);
  if (!elements) return std::nullopt;
  if (constant.type.shape == shape) return value;
  return AddConstantLike(graph, like, suffix, FloatConstant(shape, *elements));
}

absl::StatusOr<Output> AddOpLike(Graph& graph, const Node& like, std::string_view suffix,
                                 OpAttrs attrs, const std::vector<Output>& inputs) {
  absl::StatusOr<Node*> node = graph.AddOp(
      graph.UniqueName(like.name() + "/" + std::string(suffix)), std::move(attrs), inputs);
  if (!node.ok()) return node.status();
  StandFor(like, *node);
  return Output{*node, 0};
}

absl::Status CopyResult(Graph& graph, Node* result) {
  const Output value = result->input(0);
  absl::StatusOr<Node*> copy =
      graph.AddOp(graph.UniqueName(result->name() + "/copy"),
                  ReshapeAttrs{value.node->type(value.index).shape}, {value});
  if (!copy.ok()) return copy.status();
  (*copy)->AddSources(*result);
  graph.SetInput(result, 0, {*copy, 0});
  return absl::OkStatus();
}

}  // namespace linnet::converter
