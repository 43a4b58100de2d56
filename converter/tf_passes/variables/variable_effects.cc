// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/variables/variable_effects.h"

#include <algorithm>

#include "converter/functions/variable_ops.h"
#include "converter/graph/algorithm.h"
#include "converter/tf_passes/control_flow/control_flow_frames.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

// The bound is needed since a function that calls others uses all that they use, in a few bytes.
constexpr size_t kMostNamesKept = size_t{1} << 18;

// Control flow of TensorFlow 1, without the op that takes no handle.
bool IsSwitchOrMerge(const Node& node) {
  return IsControlFlow(node) && node.node_class() != NodeClass::kLoopCond;
}

bool PassesOn(const Node& node) {
  return node.node_class() == NodeClass::kIdentity || node.op_name() == "IdentityN" ||
         IsSwitchOrMerge(node);
}

size_t IndexOf(const Node& end) {
  const tf::AttrValue* index = end.FindAttr("index");
  return index == nullptr || index->i() < 0 ? SIZE_MAX : static_cast<size_t>(index->i());
}

void AddStray(Effects* effects, const std::string& variable, const Effects::Stray& stray) {
  effects->strays.try_emplace(variable, stray);
}

// Handles go through Switch, Merge and the like too, so that uses between these are seen.
void PassOn(const Node& node, Handles* handles, Effects* effects) {
  const NodeClass c = node.node_class();
  std::string merged;
  for (int slot = 0; slot < node.num_inputs(); ++slot) {
    const std::string variable = node.input(slot) ? handles->Of(node.input(slot)) : "";
    if (variable.empty()) continue;
    if (c != NodeClass::kMerge) {
      handles->Set(node, slot, variable);
      if (c == NodeClass::kSwitch) handles->Set(node, 1, variable);
    } else if (merged.empty()) {
      merged = variable;
    } else if (merged != variable) {
      AddStray(effects, variable, {node.name(), node.op_name(), "may pass on the handle of"});
    }
  }
  handles->Set(node, 0, merged);
}

// Of a node that calls no function.
void AddUses(const Node& node, const Handles& handles, Effects* effects) {
  for (int slot = 0; slot < node.num_inputs(); ++slot) {
    const std::string& variable = node.input(slot) ? handles.Of(node.input(slot)) : "";
    if (variable.empty()) {
      if (slot == 0 && AssignsVariable(node))
        AddStray(effects, "", {node.name(), node.op_name(), "assigns"});
      continue;
    }
    if (node.node_class() == NodeClass::kRetval) {
      const size_t index = IndexOf(node);
      if (index < effects->results.size()) effects->results[index] = variable;
    } else if (slot == 0 && ReadsVariable(node)) {
      effects->read.insert(variable);
    } else if (slot == 0 && AssignsVariable(node)) {
      effects->assigned.insert(variable);
    } else if (!OnlyTakesHandle(node)) {
      AddStray(effects, variable, {node.name(), node.op_name(), "uses"});
    }
  }
}

// Adds to a call what one of its functions does.
void AddFunction(const Node& node, const Effects& function, Effects* call) {
  call->read.insert(function.read.begin(), function.read.end());
  call->assigned.insert(function.assigned.begin(), function.assigned.end());
  for (const auto& [variable, stray] : function.strays)
    AddStray(call, variable,
             {fmt::format("{}/{}", node.name(), stray.node), stray.op, stray.reason});
}

// Only one of a call's functions runs: where they return handles of different variables, or a loop
// returns another one than it was given, it is not known which variable the result is.
void MergeResults(const Node& node, const Binding& results, Effects* call) {
  for (size_t i = 0; i < call->results.size(); ++i) {
    const std::string other = i < results.size() ? results[i] : "";
    if (call->results[i] == other) continue;
    for (const std::string& variable : {call->results[i], other})
      if (!variable.empty())
        AddStray(call, variable, {node.name(), node.op_name(), "may return the handle of"});
    call->results[i].clear();
  }
}

}  // namespace

const std::string& Handles::Of(Output value) const {
  static const std::string* const kNone = new std::string;
  const auto it = names_.find({value.node->id(), value.index});
  return it == names_.end() ? *kNone : it->second;
}

void Handles::Set(const Node& node, int output, std::string variable) {
  if (!variable.empty()) names_[{node.id(), output}] = std::move(variable);
}

Binding ArgumentsOf(const Node& node, const FunctionalCall& call, const Handles& handles) {
  Binding arguments;
  for (int slot = call.first_argument; slot < node.num_inputs(); ++slot)
    arguments.push_back(node.input(slot) ? handles.Of(node.input(slot)) : "");
  return arguments;
}

absl::StatusOr<Effects> VariableEffects::OfGraph(const Graph& graph, const Binding& arguments,
                                                 Handles* handles) {
  Handles own;
  if (handles == nullptr) handles = &own;
  Effects effects;
  effects.results.resize(static_cast<size_t>(std::ranges::count_if(
      graph.op_nodes(), [](const Node* n) { return n->node_class() == NodeClass::kRetval; })));
  const Node* old_style = nullptr;
  for (const Node* node : TopologicalOrder(graph)) {
    if (IsSwitchOrMerge(*node)) old_style = node;
    if (node->op_name() == "VarHandleOp") {
      variables_.try_emplace(VariableName(*node), node);
      handles->Set(*node, 0, VariableName(*node));
    } else if (node->node_class() == NodeClass::kArg) {
      if (IndexOf(*node) < arguments.size()) handles->Set(*node, 0, arguments[IndexOf(*node)]);
    } else if (PassesOn(*node)) {
      PassOn(*node, handles, &effects);
    } else if (const auto call = FunctionalCallOf(*node); call.has_value()) {
      absl::StatusOr<Effects> called = OfCall(*node, *call, *handles);
      if (!called.ok()) return called;
      effects.read.insert(called->read.begin(), called->read.end());
      effects.assigned.insert(called->assigned.begin(), called->assigned.end());
      effects.strays.merge(called->strays);
      for (size_t i = 0; i < called->results.size(); ++i)
        handles->Set(*node, static_cast<int>(i), called->results[i]);
    } else {
      AddUses(*node, *handles, &effects);
    }
  }
  if (old_style != nullptr)
    for (const auto* variables : {&effects.read, &effects.assigned})
      for (const std::string& variable : *variables)
        AddStray(&effects, variable,
                 {old_style->name(), old_style->op_name(),
                  "is of TensorFlow 1, in a function that uses"});
  return effects;
}

absl::StatusOr<Effects> VariableEffects::OfCall(const Node& node, const FunctionalCall& call,
                                                const Handles& handles) {
  const Binding arguments = ArgumentsOf(node, call, handles);
  Effects effects;
  bool is_first = true;
  for (const FunctionalCall::Function& function : call.functions) {
    const auto called = OfFunction(function.callee, arguments);
    if (!called.ok()) return called.status();
    AddFunction(node, **called, &effects);
    if (function.is_condition) {
      for (const std::string& variable : (*called)->assigned)
        AddStray(&effects, variable, {node.name(), node.op_name(), "has a condition that assigns"});
      continue;
    }
    if (is_first) effects.results = call.is_loop ? arguments : (*called)->results;
    is_first = false;
    MergeResults(node, (*called)->results, &effects);
  }
  return effects;
}

absl::StatusOr<const Effects*> VariableEffects::OfFunction(const Callee& callee,
                                                           const Binding& arguments) {
  const std::string key = fmt::format("{}\n{}", KeyOf(callee), fmt::join(arguments, "\n"));
  auto it = known_.find(key);
  if (it == known_.end()) {
    if (depth_ >= kMaxControlFlowDepth)
      return absl::UnimplementedError(
          fmt::format("functions are nested more than {} deep", kMaxControlFlowDepth));
    const absl::StatusOr<FunctionBody>& body = bodies_.Find(callee).first;
    if (!body.ok()) return body.status();
    const auto size = body->graph->num_nodes() + static_cast<int64_t>(arguments.size());
    if (absl::Status s = budget_.Take(callee.function, size); !s.ok()) return s;
    ++depth_;
    absl::StatusOr<Effects> effects = OfGraph(*body->graph, arguments, nullptr);
    --depth_;
    if (effects.ok()) {
      names_kept_ += effects->read.size() + effects->assigned.size() + effects->strays.size();
      if (names_kept_ > kMostNamesKept)
        return absl::InvalidArgumentError(fmt::format(
            "the model's functions use more than {} variables, counted in each function",
            kMostNamesKept));
    }
    it = known_.emplace(key, std::move(effects)).first;
  }
  if (!it->second.ok()) return it->second.status();
  return &*it->second;
}

}  // namespace linnet::converter
