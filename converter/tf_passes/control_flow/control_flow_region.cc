// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/control_flow/control_flow_region.h"

#include <algorithm>

#include "converter/functions/variable_ops.h"
#include "converter/graph/node_class.h"
#include "converter/graph/region_function.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/tf_passes/control_flow/control_flow_frames.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

// Cheaper to have twice than to pass on. Strings and the like keep their value as an attribute.
bool IsSmallConstant(const Node& node) {
  if (!node.IsConstant() || node.constant().bytes.size() > kMaxCopiedConstantBytes) return false;
  const tf::AttrValue* value = node.FindAttr("value");
  return value == nullptr || value->ByteSizeLong() <= kMaxCopiedConstantBytes;
}

std::pair<int, int> Key(Output value) { return {value.node->id(), value.index}; }

tf::DataType TypeOf(Output value) {
  return BaseType(value.node->tf_output_types()[static_cast<size_t>(value.index)]);
}

bool PassesOn(const Node& node) {
  using enum NodeClass;
  const NodeClass c = node.node_class();
  return c == kIdentity || c == kEnter || c == kSwitch;
}

// Is this the handle of a variable with which nothing is done but reading?
bool IsOnlyRead(Output handle) {
  while (PassesOn(*handle.node) && handle.node->input(0)) handle = handle.node->input(0);
  if (handle.node->op_name() != "VarHandleOp") return false;
  std::vector<const Node*> open = {handle.node};
  std::set<const Node*> seen;
  for (size_t i = 0; i < open.size(); ++i) {
    for (const Edge* edge : open[i]->out_edges()) {
      if (edge->IsControlEdge()) continue;
      if (PassesOn(*edge->dst)) {
        if (seen.insert(edge->dst).second) open.push_back(edge->dst);
      } else if (!ReadsVariable(*edge->dst) && !OnlyTakesHandle(*edge->dst)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

RegionFunctions::RegionFunctions(Graph& graph, RegionRules rules)
    : graph_(graph), rules_(std::move(rules)) {}

void RegionFunctions::AddArgument(Output value) {
  if (argument_of_.try_emplace(Key(value), static_cast<int>(arguments_.size())).second)
    arguments_.push_back(value);
}

Output RegionFunctions::Hoist(Output value) {
  Node* node = value.node;
  const bool reads = node->op_name() == "ReadVariableOp";
  if (rules_.keeps_order && (reads || !WaitsForNothing(*node))) return {};
  if (!reads && (!node->IsConstant() || IsSmallConstant(*node))) return {};
  if (const auto known = hoisted_.find(node->id()); known != hoisted_.end())
    return {known->second, value.index};
  const Output handle = reads ? HandleOutside(*node) : Output{};
  if (reads && !handle) return {};
  Node* copy = graph_.CopyNode(node);
  graph_.Rename(copy, graph_.UniqueName(node->name()));
  if (reads) graph_.AddEdge(handle.node, handle.index, copy, 0);
  hoisted_.emplace(node->id(), copy);
  hoisted_nodes_.push_back(copy);
  return {copy, value.index};
}

Output RegionFunctions::HandleOutside(const Node& read) const {
  Output handle = read.input(0);
  while (handle) {
    handle = rules_.look_through(handle);
    if (rules_.is_border(*handle.node)) return {};
    if (!rules_.is_inside(*handle.node)) return IsOnlyRead(handle) ? handle : Output{};
    if (handle.node->node_class() != NodeClass::kIdentity) return {};
    handle = handle.node->input(0);
  }
  return {};
}

void RegionFunctions::Place(Output read, Part* part, std::vector<Node*>* found) {
  const Output value = rules_.look_through(read);
  const bool inside = rules_.is_inside(*value.node);
  if (const Output copy = inside ? Hoist(value) : Output(); copy) return AddArgument(copy);
  if (!inside && !IsSmallConstant(*value.node)) return AddArgument(value);
  if (part->inside.insert(value.node).second) found->push_back(value.node);
}

bool RegionFunctions::WaitsForNothing(const Node& node) const {
  return std::ranges::none_of(WaitsOf(node), [this](const Node* awaited) {
    return !rules_.is_border(*awaited) && !IsPivot(*awaited);
  });
}

void RegionFunctions::Pass(const Node& first) {
  if (!rules_.keeps_order) return;
  std::vector<const Node*> borders = {&first};
  while (!borders.empty()) {
    const Node& border = *borders.back();
    borders.pop_back();
    if (!passed_.insert(&border).second) continue;
    for (const Edge* edge : border.in_edges()) {
      if (IsBackEdge(*edge) || rules_.is_inside(*edge->src)) continue;
      if (rules_.is_border(*edge->src))
        borders.push_back(edge->src);
      else
        WaitFor(edge->src);
    }
  }
}

void RegionFunctions::WaitFor(Node* outside) {
  if (!IsThereAtOnce(*outside)) waits_for_.push_back(outside);
}

void RegionFunctions::PassInto(const Node& node) {
  for (const Edge* edge : node.in_edges()) {
    if (rules_.is_border(*edge->src))
      Pass(*edge->src);
    else if (edge->IsControlEdge() && rules_.is_inside(*edge->src) && IsPivot(*edge->src))
      PassInto(*edge->src);
  }
}

bool RegionFunctions::IsPivot(const Node& node) const {
  return node.node_class() == NodeClass::kIdentity && node.input(0) &&
         !rules_.is_inside(*rules_.look_through(node.input(0)).node) &&
         std::ranges::none_of(node.in_edges(), IsWait);
}

void RegionFunctions::Find(std::vector<Output> results, const std::vector<Node*>& effects) {
  Part& part = parts_.emplace_back();
  std::vector<Node*> stack;
  for (Node* effect : effects)
    if (part.inside.insert(effect).second) stack.push_back(effect);
  for (const Output result : results) {
    if (rules_.is_border(*result.node)) Pass(*result.node);
    Place(result, &part, &stack);
  }
  part.results = std::move(results);
  while (!stack.empty()) {
    Node* node = stack.back();
    stack.pop_back();
    part.nodes.push_back(node);
    if (!rules_.is_inside(*node)) {  // a constant: what it waits for is outside
      for (const Edge* edge : node->in_edges())
        if (rules_.keeps_order && edge->src->IsOp()) WaitFor(edge->src);
      continue;
    }
    PassInto(*node);
    is_stateful_ |= node->op_def() != nullptr && node->op_def()->is_stateful();
    for (int slot = 0; slot < node->num_inputs(); ++slot)
      if (const Output input = node->input(slot); input) Place(input, &part, &stack);
    for (const Edge* edge : node->in_edges()) {
      if (!edge->IsControlEdge() || edge->src->IsSource() || rules_.is_border(*edge->src)) continue;
      if (!rules_.is_inside(*edge->src))
        waits_for_.push_back(edge->src);
      else if (!IsPivot(*edge->src) && part.inside.insert(edge->src).second)
        stack.push_back(edge->src);
    }
  }
  std::ranges::sort(part.nodes, {}, &Node::id);
}

void RegionFunctions::PassOnArguments(size_t first) {
  std::vector<Output>& results = parts_.back().results;
  results.insert(results.end(), arguments_.begin() + static_cast<std::ptrdiff_t>(first),
                 arguments_.end());
}

Output RegionFunctions::Resolve(Output read, const Part& part) const {
  Output value = rules_.look_through(read);
  if (const auto it = hoisted_.find(value.node->id()); it != hoisted_.end())
    value.node = it->second;
  if (part.inside.contains(value.node)) return value;
  return {nullptr, argument_of_.at(Key(value))};
}

std::vector<const Node*> RegionFunctions::effects() const {
  std::vector<const Node*> found;
  if (!rules_.keeps_order) return found;
  for (const Node* node : parts_.back().nodes)
    if (TouchesState(*node)) found.push_back(node);
  return found;
}

std::vector<tf::DataType> RegionFunctions::argument_types() const {
  std::vector<tf::DataType> types;
  for (const Output argument : arguments_) types.push_back(TypeOf(argument));
  return types;
}

absl::StatusOr<std::vector<std::string>> RegionFunctions::Define(
    std::string_view prefix, const std::vector<std::string>& suffixes) {
  std::vector<std::string> names;
  for (size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    names.push_back(
        FreeFunctionName(graph_.functions(), fmt::format("{}_{}", prefix, suffixes[i])));
    const Region region{part.nodes, argument_types(), part.results,
                        [&](Output read) { return Resolve(read, part); }};
    if (absl::Status s = graph_.functions().Add(ToFunctionDef(names.back(), region)); !s.ok())
      return s;
  }
  return names;
}

bool IsThereAtOnce(const Node& node) {
  return !TouchesState(node) &&
         std::ranges::none_of(node.in_edges(), [](const Edge* e) { return e->src->IsOp(); });
}

std::string FreeFunctionName(const FunctionLibrary& library, std::string name) {
  std::ranges::replace(name, '/', '_');
  std::string free = name;
  for (int k = 1; library.LookUp(free) != nullptr; ++k) free = fmt::format("{}_{}", name, k);
  return free;
}

absl::StatusOr<Node*> AddNode(Graph& graph, const tf::NodeDef& def,
                              std::span<const Output> inputs) {
  absl::StatusOr<Node*> node = graph.AddNode(def);
  if (!node.ok()) return node;
  for (size_t i = 0; i < inputs.size(); ++i)
    graph.AddEdge(inputs[i].node, inputs[i].index, *node, static_cast<int>(i));
  return node;
}

absl::StatusOr<Node*> AddFunctionalNode(Graph& graph, const FunctionalNode& what,
                                        const std::vector<Node*>& waits_for) {
  tf::NodeDef def;
  def.set_name(graph.UniqueName(what.name));
  def.set_op(what.op);
  auto& attrs = *def.mutable_attr();
  for (const auto& [attr, function] : what.functions)
    attrs[attr].mutable_func()->set_name(function);
  for (const auto& [attr, types] : what.types) {
    auto* list = attrs[attr].mutable_list();
    for (const tf::DataType type : types) list->add_type(type);
  }
  if (std::string_view(what.op).ends_with("If")) attrs["Tcond"].set_type(tf::DT_BOOL);
  attrs[std::string(kLowerUsingSwitchMerge)].set_b(true);
  absl::StatusOr<Node*> node = AddNode(graph, def, what.inputs);
  if (!node.ok()) return node;
  std::set<const Node*> awaited;  // only looked up
  for (const Output input : what.inputs) awaited.insert(input.node);
  for (Node* before : waits_for)
    if (awaited.insert(before).second) graph.AddControlEdge(before, *node);
  return node;
}

absl::StatusOr<Output> AddWait(Graph& graph, const std::string& name, Output value,
                               const std::vector<Node*>& before) {
  tf::NodeDef def;
  def.set_name(graph.UniqueName(name + "/wait"));
  def.set_op("Identity");
  (*def.mutable_attr())["T"].set_type(TypeOf(value));
  absl::StatusOr<Node*> identity = AddNode(graph, def, {&value, 1});
  if (!identity.ok()) return identity.status();
  for (Node* node : before) graph.AddControlEdge(node, *identity);
  return Output{*identity, 0};
}

void MoveControlEdges(Graph& graph, Node* node, Node* instead) {
  for (const Edge* edge : node->out_edges())
    if (edge->IsControlEdge() && !edge->dst->IsSink() && edge->dst != instead)
      graph.AddControlEdge(instead, edge->dst);
}

}  // namespace linnet::converter
