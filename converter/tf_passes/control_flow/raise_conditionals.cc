// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/control_flow/raise_conditionals.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "converter/graph/tensorflow/dtypes.h"
#include "converter/tf_passes/control_flow/branch_contexts.h"
#include "converter/tf_passes/control_flow/control_flow_region.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

using Merges = std::vector<Node*>;

// Numbers that are joined into sets: union-find.
class Sets {
 public:
  explicit Sets(size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }
  size_t Find(size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Join(size_t a, size_t b) { parent_[Find(a)] = Find(b); }

 private:
  std::vector<size_t> parent_;
};

// The nodes of a frame and the edges between them, as numbers.
class Neighbours {
 public:
  explicit Neighbours(const std::vector<Node*>& nodes) : nodes_(nodes) {
    for (size_t i = 0; i < nodes.size(); ++i) index_.emplace(nodes[i], i);
  }
  // Calls visit(source) for each node of the frame that node i reads or waits for.
  template <typename Visit>
  void ForEachSource(size_t i, Visit visit) const {
    for (const Edge* edge : nodes_[i]->in_edges()) {
      if (IsBackEdge(*edge)) continue;
      if (const auto it = index_.find(edge->src); it != index_.end()) visit(it->second);
    }
  }

 private:
  const std::vector<Node*>& nodes_;
  std::unordered_map<const Node*, size_t> index_;
};

// Which sets lie on a cycle, or are reachable from one, once each set is contracted to one node;
// the others go to `order`, producers first. Both by the number that Sets::Find gives a set. A node
// that is_exit accepts is left by its edges even into its own set, which is then on a cycle.
std::vector<bool> Cyclic(const Neighbours& neighbours, const std::vector<size_t>& set_of,
                         const std::function<bool(size_t)>& is_exit, std::vector<size_t>* order) {
  const size_t size = set_of.size();
  std::vector<std::vector<size_t>> users(size);
  std::vector<int> pending(size, 0);
  for (size_t i = 0; i < size; ++i)
    neighbours.ForEachSource(i, [&](size_t source) {
      const bool inside = set_of[source] == set_of[i];
      if (inside && !is_exit(source)) return;
      if (!inside) users[set_of[source]].push_back(set_of[i]);
      ++pending[set_of[i]];  // never counted down where the source is in the same set
    });
  std::vector<bool> left(size, false);
  for (size_t i = 0; i < size; ++i) {
    left[set_of[i]] = true;
    if (set_of[i] == i && pending[i] == 0) order->push_back(i);
  }
  for (size_t i = 0; i < order->size(); ++i) {
    left[(*order)[i]] = false;
    for (const size_t user : users[(*order)[i]])
      if (--pending[user] == 0) order->push_back(user);
  }
  return left;
}

std::vector<Node*> ProducersFirst(const std::vector<Node*>& nodes) {
  std::vector<size_t> single(nodes.size()), order;
  std::iota(single.begin(), single.end(), 0);
  const auto none = [](size_t) { return false; };
  Cyclic(Neighbours(nodes), single, none, &order);
  std::vector<Node*> sorted;
  sorted.reserve(order.size());
  for (const size_t i : order) sorted.push_back(nodes[i]);
  return sorted;
}

class Conditionals {
 public:
  Conditionals(Graph& graph, Frames& frames, int frame, bool keeps_order, Problems* problems)
      : graph_(graph),
        keeps_order_(keeps_order),
        frames_(frames),
        frame_(frame),
        nodes_(ProducersFirst(frames[frame].nodes)),
        contexts_(frames, frame, nodes_, problems),
        problems_(*problems) {}

  absl::Status Run(int* raised) {
    CheckEnds();
    if (!problems_.empty()) return absl::OkStatus();
    int depth = -1;
    for (const Fork& fork : contexts_.forks()) depth = std::max(depth, fork.depth);
    for (; depth >= 0; --depth) {
      for (const Merges& merges : Groups(depth)) {
        if (absl::Status s = AddIf(merges); !s.ok()) return s;
        ++*raised;
      }
      RemoveBranches(depth);
    }
    frames_.SetNodes(frame_, nodes_);
    return absl::OkStatus();
  }

 private:
  // Problems: results and loops that depend on which branch is taken.
  void CheckEnds() {
    for (const Node* node : nodes_) {
      using enum NodeClass;
      const NodeClass c = node->node_class();
      if (contexts_.Of(node) == 0) continue;
      if (c == kRetval)
        problems_.Add(*node->input(0).node,
                      "has no value when the other branch of a conditional is taken",
                      "ask for what a Merge makes of it, with --output");
      else if (c == kExit || c == kNextIteration || c == kLoopCond || IsLoopPart(*node))
        problems_.Add(*node, "is in one branch of a conditional, and its loop is not");
    }
  }

  // The fork of this depth that a node is a Switch or Merge of, or lies in a branch of; -1 for
  // none.
  int ForkOf(const Node* node, int depth) const {
    const int at = contexts_.ForkAt(node), context = contexts_.Of(node);
    for (const int fork : {at, context == 0 ? -1 : BranchContexts::ForkOf(context)})
      if (fork >= 0 && contexts_.fork(fork).depth == depth) return fork;
    return -1;
  }

  bool IsMergeOf(const Node* node, int depth) const {
    return node->node_class() == NodeClass::kMerge && contexts_.ForkAt(node) >= 0 &&
           ForkOf(node, depth) == contexts_.ForkAt(node);
  }

  // The Merges that become one If: those whose branches have nodes in common. If that If would need
  // its own result, through nodes outside that read one Merge and feed another, its Merges are
  // split by how many Merges lie before them: along any path that number grows, so that no cycle is
  // left.
  std::vector<Merges> Groups(int depth) const {
    const Neighbours neighbours(nodes_);
    Sets sets(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const int fork = ForkOf(nodes_[i], depth);
      if (fork < 0) continue;
      neighbours.ForEachSource(i, [&](size_t source) {
        if (ForkOf(nodes_[source], depth) == fork && !IsMergeOf(nodes_[source], depth))
          sets.Join(source, i);
      });
    }
    std::vector<size_t> set_of(nodes_.size()), order;
    for (size_t i = 0; i < nodes_.size(); ++i) set_of[i] = sets.Find(i);
    const auto is_merge = [&](size_t i) { return IsMergeOf(nodes_[i], depth); };
    const std::vector<bool> cyclic = Cyclic(neighbours, set_of, is_merge, &order);
    const std::vector<int> level = MergesBefore(neighbours, depth);
    std::map<std::pair<size_t, int>, Merges> groups;
    for (size_t i = 0; i < nodes_.size(); ++i)
      if (IsMergeOf(nodes_[i], depth))
        groups[{set_of[i], cyclic[set_of[i]] ? level[i] : 0}].push_back(nodes_[i]);
    std::vector<Merges> in_order;
    in_order.reserve(groups.size());
    for (auto& [key, merges] : groups) in_order.push_back(std::move(merges));
    std::ranges::sort(in_order, {}, [](const Merges& merges) { return merges[0]->id(); });
    return in_order;
  }

  // REQUIRES: nodes_ is sorted, producers first.
  std::vector<int> MergesBefore(const Neighbours& neighbours, int depth) const {
    std::vector<int> level(nodes_.size(), 0);
    for (size_t i = 0; i < nodes_.size(); ++i)
      neighbours.ForEachSource(i, [&](size_t source) {
        level[i] = std::max(level[i], level[source] + (IsMergeOf(nodes_[source], depth) ? 1 : 0));
      });
    return level;
  }

  RegionRules RulesOf(int fork) const {
    const auto is_border = [this, fork](const Node& node) {
      return node.node_class() == NodeClass::kSwitch && contexts_.ForkAt(&node) == fork;
    };
    const auto look_through = [is_border](Output value) {
      while (is_border(*value.node)) value = value.node->input(0);
      return value;
    };
    const auto is_inside = [this, fork](const Node& node) {
      const int context = contexts_.Of(&node);
      return frames_.IsIn(&node, frame_) &&
             (contexts_.IsWithin(context, BranchContexts::ContextOf(fork, 0)) ||
              contexts_.IsWithin(context, BranchContexts::ContextOf(fork, 1)));
    };
    return {look_through, is_inside, is_border, keeps_order_};
  }

  // Values of a branch: those of all Merges, then the value_index of each Merge where that is read.
  std::vector<Output> Results(const Merges& merges, int branch) {
    std::vector<Output> results;
    for (Node* merge : merges) results.push_back(merge->input(contexts_.SlotOf(merge, branch)));
    for (Node* merge : merges) {
      if (merge->NumUses(1) == 0) continue;
      Node* number =
          graph_.AddConstant(graph_.UniqueName(merge->name() + "/value_index"),
                             Constant::Of<int32_t>(Shape{}, {contexts_.SlotOf(merge, branch)}));
      numbers_.push_back(number);
      results.push_back({number, 0});
    }
    return results;
  }

  // Nodes of a branch that Merges only wait for.
  std::vector<Node*> Effects(const Merges& merges, int branch) {
    std::vector<Node*> effects;
    if (!keeps_order_) return effects;
    const int fork = contexts_.ForkAt(merges[0]), base = contexts_.fork(fork).base;
    for (const Node* merge : merges) {
      for (Node* awaited : WaitsOf(*merge)) {
        const int context = contexts_.Of(awaited);
        if (contexts_.IsWithin(context, BranchContexts::ContextOf(fork, branch)))
          effects.push_back(awaited);
        else if (!contexts_.IsWithin(base, context) &&
                 !contexts_.IsWithin(context, BranchContexts::ContextOf(fork, 1 - branch)))
          problems_.Add(
              *merge,
              fmt::format("waits for '{}', which another conditional may not run", awaited->name()),
              kExportAsV2);
      }
    }
    return effects;
  }

  absl::Status AddIf(const Merges& merges) {
    const int fork = contexts_.ForkAt(merges[0]);
    const int base = contexts_.fork(fork).base;
    RegionFunctions functions(graph_, RulesOf(fork));
    for (const int branch : {1, 0}) {
      functions.Find(Results(merges, branch), Effects(merges, branch));
      for (const Node* effect : functions.effects())
        if (!moved_.insert(effect).second)
          problems_.Add(*effect, "would run several times, as several conditionals need it",
                        kExportAsV2);
    }
    // The scope around the Merge; its own name where it has none.
    std::string name = merges[0]->name().substr(0, merges[0]->name().rfind('/'));
    if (name == merges[0]->name())  // the Merge is removed later only
      graph_.Rename(merges[0], graph_.UniqueName(name + "/merge"));
    name = graph_.UniqueName(name);
    auto names = functions.Define(name, {"then", "else"});
    if (!names.ok()) return names.status();
    FunctionalNode what{name,
                        functions.is_stateful() ? "If" : "StatelessIf",
                        {{"then_branch", (*names)[0]}, {"else_branch", (*names)[1]}},
                        {{"Tin", functions.argument_types()}, {"Tout", {}}},
                        {SkipIdentities(contexts_.fork(fork).gate->input(1))}};
    for (const Node* merge : merges)
      what.types[1].second.push_back(BaseType(merge->tf_output_types()[0]));
    for (const Node* merge : merges)
      if (merge->NumUses(1) > 0) what.types[1].second.push_back(tf::DT_INT32);
    for (const Output argument : functions.arguments()) what.inputs.push_back(argument);
    absl::StatusOr<Node*> node = AddFunctionalNode(graph_, what, functions.waits_for());
    if (!node.ok()) return node.status();
    for (Node* added : functions.hoisted()) Add(added, base);
    Add(*node, base);
    Replace(merges, *node);
    return absl::OkStatus();
  }

  void Add(Node* node, int context) {
    frames_.Add(node, frame_);
    contexts_.Set(node, context);
    added_.push_back(node);
  }

  void Replace(const Merges& merges, Node* by) {
    int next = static_cast<int>(merges.size());
    for (size_t i = 0; i < merges.size(); ++i) {
      Node* merge = merges[i];
      graph_.ReplaceUses({merge, 0}, {by, static_cast<int>(i)});
      if (merge->NumUses(1) > 0) graph_.ReplaceUses({merge, 1}, {by, next++});
      for (Node* awaited : WaitsOf(*merge))
        if (contexts_.IsWithin(contexts_.Of(by), contexts_.Of(awaited)))
          graph_.AddControlEdge(awaited, by);
      MoveControlEdges(graph_, merge, by);
    }
    for (Node* number : numbers_) graph_.RemoveNode(number);
    numbers_.clear();
  }

  // Removes all that belongs to forks of this depth: it is in functions now, or nobody needs it.
  void RemoveBranches(int depth) {
    std::vector<Node*> kept;
    for (Node* node : nodes_) {
      if (ForkOf(node, depth) >= 0)
        graph_.RemoveNode(node);
      else
        kept.push_back(node);
    }
    kept.insert(kept.end(), added_.begin(), added_.end());
    added_.clear();
    nodes_ = ProducersFirst(kept);
  }

  Graph& graph_;
  const bool keeps_order_;
  std::set<const Node*> moved_;  // nodes that touch state, into an If; only looked up
  Frames& frames_;
  const int frame_;
  std::vector<Node*> nodes_;
  BranchContexts contexts_;
  Problems& problems_;
  std::vector<Node*> added_, numbers_;
};

}  // namespace

absl::Status RaiseConditionals(Graph& graph, Frames& frames, int frame, bool keeps_order,
                               Problems* problems, int* raised) {
  return Conditionals(graph, frames, frame, keeps_order, problems).Run(raised);
}

}  // namespace linnet::converter
