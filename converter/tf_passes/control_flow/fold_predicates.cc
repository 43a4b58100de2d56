// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/control_flow/fold_predicates.h"

#include <algorithm>
#include <vector>

#include "converter/graph/algorithm.h"
#include "converter/tf_passes/control_flow/control_flow_frames.h"
#include "converter/tf_passes/control_flow/control_flow_region.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

constexpr int kMaxHops = 64;

class Folding {
 public:
  Folding(Graph& graph, Problems* problems)
      : graph_(graph), problems_(*problems), dead_(graph.num_node_ids(), 0) {}

  int Run() {
    const std::vector<Node*> order = TopologicalOrder(graph_);
    std::vector<Node*> taken;  // Switches with a constant predicate
    for (Node* node : order) {
      if (IsDead(*node)) {
        dead_[node->id()] = kBoth;
        if (node->node_class() == NodeClass::kRetval)
          problems_.Add(*node->input(0).node, "is never computed: it is in the branch not taken");
        CheckLoop(*node);
      } else if (node->node_class() == NodeClass::kMerge) {
        CheckMerge(*node);
      } else if (node->node_class() == NodeClass::kSwitch && node->num_outputs() == 2) {
        const std::optional<bool> predicate = ConstantPredicate(node->input(1));
        if (!predicate) continue;
        dead_[node->id()] = *predicate ? kFalse : kTrue;
        taken.push_back(node);
      }
    }
    if (taken.empty() || !problems_.empty()) return 0;
    int changes = 0;
    for (Node* node : order)
      if (node->node_class() == NodeClass::kMerge && dead_[node->id()] == 0)
        changes += Settle(node) ? 1 : 0;
    for (Node* node : taken) Take(node);
    for (Node* node : order) {
      if (dead_[node->id()] != kBoth) continue;
      graph_.RemoveNode(node);
      ++changes;
    }
    return changes + static_cast<int>(taken.size());
  }

 private:
  static constexpr uint8_t kFalse = 1, kTrue = 2, kBoth = 3;  // which outputs never come

  bool IsDead(const Edge& edge) const {
    const uint8_t dead = dead_[edge.src->id()];
    if (edge.IsControlEdge() || dead == kBoth) return dead == kBoth;
    return dead != 0 && (edge.src_output == 0 ? dead == kFalse : dead == kTrue);
  }

  bool IsDead(const Node& node) const {
    if (node.node_class() != NodeClass::kMerge)
      return std::ranges::any_of(node.in_edges(), [&](const Edge* e) { return IsDead(*e); });
    return std::ranges::all_of(node.in_edges(), [&](const Edge* e) {
      return e->IsControlEdge() || IsBackEdge(*e) || IsDead(*e);
    });
  }

  void CheckLoop(const Node& node) {
    for (const Edge* edge : node.out_edges())
      if (IsBackEdge(*edge) && dead_[edge->dst->id()] == 0)
        problems_.Add(*edge->dst,
                      fmt::format("never gets '{}': it is in the branch not taken", node.name()));
  }

  // Merges with more than two live inputs are not supported.
  void CheckMerge(const Node& merge) {
    int live = 0, dead = 0;
    for (const Edge* edge : merge.in_edges())
      if (!edge->IsControlEdge() && !IsBackEdge(*edge)) ++(IsDead(*edge) ? dead : live);
    if (dead > 0 && live > 1)
      problems_.Add(merge, fmt::format("merges {} values, want 2", live + dead));
  }

  // A Merge of which only one input is ever computed is that input.
  bool Settle(Node* merge) {
    if (IsLoopMerge(*merge)) return false;
    int live = -1;
    for (const Edge* edge : merge->in_edges()) {
      if (edge->IsControlEdge() || IsDead(*edge)) continue;
      if (live >= 0) return false;
      live = edge->dst_input;
    }
    if (live < 0) return false;
    if (merge->NumUses(1) > 0) {
      Node* number = graph_.AddConstant(graph_.UniqueName(merge->name() + "/value_index"),
                                        Constant::Of<int32_t>(Shape{}, {live}));
      graph_.ReplaceUses({merge, 1}, {number, 0});
    }
    std::vector<Node*> before;
    for (const Edge* edge : merge->in_edges())
      if (IsWait(edge) && !IsDead(*edge)) before.push_back(edge->src);
    const Output value = Waiting(*merge, merge->input(live), before);
    dead_[merge->id()] = kBoth;
    graph_.ReplaceUses({merge, 0}, value);
    MoveControlEdges(graph_, merge, value.node);
    return true;
  }

  void Take(Node* node) {
    const int side = dead_[node->id()] == kFalse ? 1 : 0;
    std::vector<Node*> before = WaitsOf(*node);
    if (Node* predicate = node->input(1).node; Waits(*predicate)) before.push_back(predicate);
    const Output value = Waiting(*node, node->input(0), before);
    graph_.ReplaceUses({node, side}, value);
    MoveControlEdges(graph_, node, value.node);
    dead_[node->id()] = kBoth;
  }

  // Does a constant predicate, or what passes it on, wait for anything?
  bool Waits(const Node& predicate) const {
    const Node* node = &predicate;
    for (int hops = 0; hops < kMaxHops && node != nullptr; ++hops) {
      if (std::ranges::any_of(node->in_edges(), IsWait)) return true;
      node = node->num_inputs() > 0 ? node->input(0).node : nullptr;
    }
    return false;
  }

  // `value`, or an Identity of it that waits for `before` as `node` did.
  Output Waiting(const Node& node, Output value, const std::vector<Node*>& before) {
    if (before.empty()) return value;
    const absl::StatusOr<Output> identity = AddWait(graph_, node.name(), value, before);
    dead_.resize(graph_.num_node_ids(), 0);
    if (identity.ok()) return *identity;
    problems_.Add(identity.status(), node.name(), node.op_name());
    return value;
  }

  Graph& graph_;
  Problems& problems_;
  std::vector<uint8_t> dead_;  // by node id
};

}  // namespace

std::optional<bool> ConstantPredicate(Output value) {
  using enum NodeClass;
  for (int hops = 0; hops < kMaxHops && value; ++hops) {
    const Node& node = *value.node;
    if (node.IsConstant()) {
      if (!node.HasType(0) || node.type() != TensorType{DType::kBool, Shape{}}) return std::nullopt;
      return node.constant().ScalarValue() != 0.0;
    }
    const NodeClass c = node.node_class();
    if (c != kIdentity && c != kEnter && c != kSwitch) return std::nullopt;
    value = node.input(0);
  }
  return std::nullopt;
}

int FoldPredicates(Graph& graph, Problems* problems) { return Folding(graph, problems).Run(); }

}  // namespace linnet::converter
