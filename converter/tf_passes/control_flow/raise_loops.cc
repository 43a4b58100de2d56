// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/control_flow/raise_loops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/strip.h"
#include "converter/functions/variable_ops.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/tf_passes/control_flow/control_flow_region.h"
#include "converter/tf_passes/control_flow/fold_predicates.h"
#include "converter/tf_passes/control_flow/functional_call.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

constexpr char kInCondition[] = "assigns a variable in the condition of a loop";

std::vector<Node*> NodesOf(const Frame& frame, NodeClass node_class) {
  std::vector<Node*> found;
  for (Node* node : frame.nodes)
    if (node->node_class() == node_class) found.push_back(node);
  std::ranges::sort(found, {}, &Node::id);
  return found;
}

bool IsConstantEnter(const Node& node) {
  const tf::AttrValue* is_constant = node.FindAttr("is_constant");
  return is_constant != nullptr && is_constant->b();
}

struct Variable {
  Node* merge = nullptr;
  Output initial, next;        // outside; inside
  const Node* gate = nullptr;  // the Switch that lets it into the body; may be null
  std::vector<Node*> exits;
};

class Loop {
 public:
  Loop(Graph& graph, Frames& frames, int frame, bool keeps_order, Problems* problems)
      : graph_(graph),
        frames_(frames),
        frame_(frame),
        keeps_order_(keeps_order),
        problems_(*problems) {}

  absl::Status Run(int* raised) {
    const size_t before = problems_.all().size();
    for (const Node* retval : All(NodeClass::kRetval))
      problems_.Add(*retval->input(0).node,
                    fmt::format("is inside of the loop '{}', where it has a value per iteration",
                                frames_[frame_].name),
                    "ask for what leaves the loop, with --output");
    condition_ = FindLoopCondition(frames_, frame_, &problems_);
    if (condition_ == nullptr) return absl::OkStatus();
    FindVariables();
    FindGates();
    FindExits();
    if (keeps_order_) FindEffects();
    if (problems_.all().size() != before) return absl::OkStatus();
    const bool is_read = std::ranges::any_of(
        variables_, [](const Variable& variable) { return !variable.exits.empty(); });
    const std::optional<bool> fixed = ConstantPredicate(condition_->input(0));
    if (fixed == false) {
      if (absl::Status s = LeaveInitial(); !s.ok()) return s;
    } else if (is_read) {
      if (absl::Status s = AddWhile(); !s.ok()) return s;
    }
    if (problems_.all().size() != before) return absl::OkStatus();
    ++*raised;
    for (Node* node : frames_[frame_].nodes) graph_.RemoveNode(node);
    frames_.SetNodes(frame_, {});
    return absl::OkStatus();
  }

 private:
  std::vector<Node*> All(NodeClass node_class) const {
    return NodesOf(frames_[frame_], node_class);
  }

  void FindVariables() {
    for (Node* merge : All(NodeClass::kMerge)) {
      Node* ends[2] = {nullptr, nullptr};
      for (int slot = 0; slot < merge->num_inputs() && merge->num_inputs() == 2; ++slot) {
        Node* source = merge->input(slot).node;
        if (source->node_class() == NodeClass::kEnter) ends[0] = source;
        if (source->node_class() == NodeClass::kNextIteration) ends[1] = source;
      }
      if (ends[0] == nullptr || ends[1] == nullptr) {
        problems_.Add(*merge, "does not merge an Enter and a NextIteration", kExportAsV2);
        continue;
      }
      if (IsConstantEnter(*ends[0]))
        problems_.Add(*ends[0], "is constant, but begins a loop variable", kExportAsV2);
      if (merge->NumUses(1) > 0)
        problems_.Add(
            *merge,
            "it merges a loop variable, and a node reads its output 1 (value_index), which is not "
            "supported in loops",
            kExportAsV2);
      variable_of_[merge] = variables_.size();
      variables_.push_back({merge, ends[0]->input(0), ends[1]->input(0), nullptr, {}});
    }
  }

  bool IsGate(const Node& node) const {
    return node.node_class() == NodeClass::kSwitch && node.num_inputs() == 2 &&
           SkipIdentities(node.input(1)).node == condition_;
  }

  void FindGates() {
    for (const Node* node : All(NodeClass::kSwitch)) {
      const Node* merge = node->input(0).node;
      const auto it = variable_of_.find(merge);
      if (!IsGate(*node) || it == variable_of_.end()) {
        problems_.Add(*node, "switches neither a loop variable nor a conditional", kExportAsV2);
        continue;
      }
      Variable& variable = variables_[it->second];
      if (variable.gate != nullptr)
        problems_.Add(*merge, fmt::format("has two Switch successors: '{}', '{}'",
                                          variable.gate->name(), node->name()));
      variable.gate = node;
    }
  }

  void FindExits() {
    for (Node* exit : All(NodeClass::kExit)) {
      const Output value = SkipIdentities(exit->input(0));
      const auto it = value.node->node_class() == NodeClass::kSwitch && value.index == 0
                          ? variable_of_.find(value.node->input(0).node)
                          : variable_of_.end();
      if (it == variable_of_.end())
        problems_.Add(*exit, "does not read a loop variable's Switch", kExportAsV2);
      else if (std::ranges::any_of(exit->out_edges(), [](const Edge* e) { return e->dst->IsOp(); }))
        variables_[it->second].exits.push_back(exit);
    }
  }

  // Finds what touches variables, or what the loop's own nodes wait for, and which function it
  // belongs to: the body, if it only runs where the loop goes on, else the condition.
  void FindEffects() {
    std::set<const Node*> in_body;
    for (Node* node : frames_[frame_].nodes) {  // producers first
      const bool follows = std::ranges::any_of(node->in_edges(), [&](const Edge* edge) {
        if (IsBackEdge(*edge)) return false;
        return in_body.contains(edge->src) ||
               (IsGate(*edge->src) && edge->src_output == 1 && frames_.IsIn(edge->src, frame_));
      });
      if (follows) in_body.insert(node);
      WaitOutside(*node);
      if (IsControlFlow(*node))
        WaitInside(*node, in_body);
      else if (TouchesState(*node))
        (follows ? body_effects_ : condition_effects_).push_back(node);
    }
  }

  void WaitInside(const Node& border, const std::set<const Node*>& in_body) {
    for (const Edge* edge : border.in_edges()) {
      if (!edge->IsControlEdge() || !frames_.IsIn(edge->src, frame_) || IsControlFlow(*edge->src))
        continue;
      if (border.node_class() == NodeClass::kExit ||
          (border.node_class() == NodeClass::kSwitch && in_body.contains(edge->src)))
        Refuse(border, "waits for what the loop's last iteration does not run");
      (in_body.contains(edge->src) ? body_effects_ : condition_effects_).push_back(edge->src);
    }
  }

  void WaitOutside(const Node& node) {
    for (const Edge* edge : node.in_edges()) {
      Node* source = edge->src;
      if (!source->IsOp() || IsBackEdge(*edge) || frames_.IsIn(source, frame_)) continue;
      if (!IsThereAtOnce(*source)) waits_for_.push_back(source);
    }
  }

  // The results of a loop that never runs are its initial values.
  absl::Status LeaveInitial() {
    for (const Node* node : condition_effects_)
      if (AssignsVariable(*node) || FunctionalCallOf(*node)) Refuse(*node, kInCondition);
    for (const Variable& variable : variables_) {
      for (Node* exit : variable.exits) {
        Output value = variable.initial;
        if (!waits_for_.empty()) {
          const auto identity = AddWait(graph_, exit->name(), value, waits_for_);
          if (!identity.ok()) return identity.status();
          value = *identity;
          frames_.Add(value.node, frames_[frame_].parent);
        }
        Replace(exit, value);
      }
    }
    return absl::OkStatus();
  }

  // What a node inside reads: a loop variable (its Merge), a value from outside, or something that
  // another node inside computes.
  Output LookThrough(Output value) {
    while (frames_.IsIn(value.node, frame_)) {
      const Node* node = value.node;
      switch (node->node_class()) {
        case NodeClass::kSwitch:
          if (value.index == 0)
            Refuse(*node, "its output 0, the value after the loop, is read inside the loop");
          break;
        case NodeClass::kEnter:
          if (!IsConstantEnter(*node))
            Refuse(*node, "is not constant, but is read in the loop without a Merge");
          break;
        case NodeClass::kLoopCond:
          break;
        default:
          if (IsControlFlow(*node) && !variable_of_.contains(node))
            Refuse(*node, "a node of the loop reads it, but it is no loop variable");
          return value;
      }
      value = node->input(0);
    }
    return value;
  }

  void Refuse(const Node& node, const char* reason) {
    if (refused_.insert(&node).second) problems_.Add(node, reason, kExportAsV2);
  }

  RegionRules Rules() {
    const auto look_through = [this](Output value) { return LookThrough(value); };
    const auto is_inside = [this](const Node& node) {
      return frames_.IsIn(&node, frame_) && !IsControlFlow(node);
    };
    const auto is_border = [this](const Node& node) {
      return frames_.IsIn(&node, frame_) && IsControlFlow(node);
    };
    return {look_through, is_inside, is_border, keeps_order_};
  }

  absl::Status AddWhile() {
    RegionFunctions functions(graph_, Rules());
    for (const Variable& variable : variables_) functions.AddArgument({variable.merge, 0});
    functions.Find({condition_->input(0)}, condition_effects_);
    const std::vector<const Node*> found = functions.effects();
    for (const Node* node : found)
      if (AssignsVariable(*node)) Refuse(*node, kInCondition);
    const std::set<const Node*> in_condition(found.begin(), found.end());  // only looked up
    std::vector<Output> next;
    for (const Variable& variable : variables_) next.push_back(variable.next);
    functions.Find(std::move(next), body_effects_);
    for (const Node* node : functions.effects())
      if (in_condition.contains(node))
        Refuse(*node, "is needed by both the loop's condition and its body");
    if (!refused_.empty()) return absl::OkStatus();
    functions.PassOnArguments(variables_.size());
    const std::string name =
        graph_.UniqueName(std::string(absl::StripSuffix(frames_[frame_].name, "/while_context")));
    auto names = functions.Define(name, {"cond", "body"});
    if (!names.ok()) return names.status();
    FunctionalNode what{name,
                        functions.is_stateful() ? "While" : "StatelessWhile",
                        {{"cond", (*names)[0]}, {"body", (*names)[1]}},
                        {{"T", functions.argument_types()}},
                        {}};
    for (const Output argument : functions.arguments()) {
      const auto variable = variable_of_.find(argument.node);
      what.inputs.push_back(variable == variable_of_.end() ? argument
                                                           : variables_[variable->second].initial);
    }
    std::vector<Node*> waits_for = functions.waits_for();
    waits_for.insert(waits_for.end(), waits_for_.begin(), waits_for_.end());
    absl::StatusOr<Node*> node = AddFunctionalNode(graph_, what, waits_for);
    if (!node.ok()) return node.status();
    const int parent = frames_[frame_].parent;
    for (Node* added : functions.hoisted()) frames_.Add(added, parent);
    frames_.Add(*node, parent);
    for (size_t i = 0; i < variables_.size(); ++i)
      for (Node* exit : variables_[i].exits) Replace(exit, {*node, static_cast<int>(i)});
    return absl::OkStatus();
  }

  void Replace(Node* exit, Output by) {
    graph_.ReplaceUses({exit, 0}, by);
    MoveControlEdges(graph_, exit, by.node);
  }

  Graph& graph_;
  Frames& frames_;
  const int frame_;
  const bool keeps_order_;
  Problems& problems_;
  std::vector<Node*> condition_effects_, body_effects_, waits_for_;
  Node* condition_ = nullptr;
  std::vector<Variable> variables_;
  std::map<const Node*, size_t> variable_of_;  // by Merge; only looked up
  std::set<const Node*> refused_;
};

}  // namespace

Node* FindLoopCondition(const Frames& frames, int frame, Problems* problems) {
  const Frame& loop = frames[frame];
  const std::vector<Node*> conditions = NodesOf(loop, NodeClass::kLoopCond);
  if (conditions.size() == 1) return conditions[0];
  std::vector<std::string> names;
  names.reserve(conditions.size());
  for (const Node* condition : conditions) names.push_back(condition->name());
  if (!conditions.empty())
    problems->Add(*conditions[0], fmt::format("the loop '{}' has {} LoopConds: {}", loop.name,
                                              names.size(), fmt::join(names, ", ")));
  else if (!loop.nodes.empty())
    problems->Add(*loop.nodes[0], fmt::format("the loop '{}' has no LoopCond", loop.name));
  return nullptr;
}

absl::Status RaiseLoop(Graph& graph, Frames& frames, int frame, bool keeps_order,
                       Problems* problems, int* raised) {
  return Loop(graph, frames, frame, keeps_order, problems).Run(raised);
}

}  // namespace linnet::converter
