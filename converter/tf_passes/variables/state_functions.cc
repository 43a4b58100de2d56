// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/variables/state_functions.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

#include "converter/functions/variable_ops.h"
#include "converter/graph/algorithm.h"
#include "converter/graph/graph_def.h"
#include "converter/graph/region_function.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/tf_passes/control_flow/control_flow_frames.h"
#include "converter/tf_passes/control_flow/control_flow_region.h"
#include "converter/tf_passes/variables/variable_reads.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

using Names = std::vector<std::string>;

absl::Status At(const Node& node, const absl::Status& status) {
  return absl::Status(status.code(),
                      fmt::format("{}: {}", node.Describe(), std::string(status.message())));
}

// All nodes, after what they read and wait for; among those that are ready what assigns nothing
// comes first, then the smaller id.
std::vector<Node*> OrderOfEffects(const Graph& graph,
                                  const std::function<bool(const Node&)>& assigns) {
  using Ready = std::pair<bool, int>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  std::vector<int> pending(graph.num_node_ids(), 0);
  const auto arrive = [&](const Node* node) { ready.push({assigns(*node), node->id()}); };
  for (const Node* node : graph.op_nodes()) {
    int& count = pending[node->id()];
    for (const Edge* edge : node->in_edges()) count += edge->src->IsSource() ? 0 : 1;
    if (count == 0) arrive(node);
  }
  std::vector<Node*> order;
  while (!ready.empty()) {
    Node* node = graph.FindNodeId(ready.top().second);
    ready.pop();
    order.push_back(node);
    for (const Edge* edge : node->out_edges())
      if (!edge->dst->IsSink() && --pending[edge->dst->id()] == 0) arrive(edge->dst);
  }
  return order;
}

// One graph, node by node.
class Walk {
 public:
  Walk(Graph& graph, StateFunctions& functions, std::map<std::string, Output>* values)
      : graph_(graph), functions_(functions), values_(*values) {}

  absl::StatusOr<int> Run(const Binding& arguments) {
    const auto effects = functions_.effects().OfGraph(graph_, arguments, &handles_);
    if (!effects.ok()) return effects.status();
    std::map<int, Effects> calls;
    for (const Node* node : graph_.op_nodes()) {
      const auto call = FunctionalCallOf(*node);
      if (!call) continue;
      absl::StatusOr<Effects> called = functions_.effects().OfCall(*node, *call, handles_);
      if (!called.ok()) return called.status();
      const size_t touched = called->read.size() + called->assigned.size();
      if (absl::Status s = functions_.HandOver(touched); !s.ok()) return At(*node, s);
      calls.emplace(node->id(), *std::move(called));
    }
    const auto assigns = [&](const Node& node) {
      const auto call = calls.find(node.id());
      return call == calls.end() ? AssignsVariable(node) : !Carried(call->second.assigned).empty();
    };
    for (Node* node : OrderOfEffects(graph_, assigns)) {
      const auto call = calls.find(node->id());
      const absl::Status status =
          call == calls.end() ? VisitNode(node) : VisitCall(node, call->second);
      if (!status.ok()) return status;
    }
    return changes_;
  }

 private:
  bool IsCarried(const std::string& variable) const {
    return functions_.carried().contains(variable);
  }

  bool IsCarriedResult(const Binding& results, int i) const {
    return static_cast<size_t>(i) < results.size() && IsCarried(results[i]);
  }

  tf::DataType TypeOf(const std::string& variable) const {
    return ToDataType(functions_.carried().at(variable).dtype);
  }

  Names Carried(const std::set<std::string>& variables) const {
    Names names;
    std::ranges::copy_if(variables, std::back_inserter(names),
                         [this](const std::string& v) { return IsCarried(v); });
    return names;
  }

  absl::Status VisitNode(Node* node) {
    if (node->num_inputs() == 0 || !node->input(0)) return absl::OkStatus();
    const std::string& variable = handles_.Of(node->input(0));
    if (!IsCarried(variable)) return absl::OkStatus();
    if (AssignsVariable(*node)) return Assign(node, variable);
    if (!ReadsVariable(*node) && !OnlyTakesHandle(*node)) return absl::OkStatus();
    ++changes_;
    if (ReadsVariable(*node)) return ReplaceRead(graph_, node, values_.at(variable));
    ReplaceQuestion(graph_, node);
    return absl::OkStatus();
  }

  absl::Status Assign(Node* node, const std::string& variable) {
    Output& value = values_.at(variable);
    const tf::DataType wanted = TypeOf(variable), assigned = AssignedType(*node);
    if (assigned != wanted)
      return At(*node, absl::InvalidArgumentError(fmt::format(
                           "assigns {} to the variable '{}', which is {}", DataTypeString(assigned),
                           variable, DataTypeString(wanted))));
    ++changes_;
    const absl::StatusOr<Output> next = AssignedValue(graph_, *node, value);
    if (!next.ok()) return At(*node, next.status());
    value = *next;
    graph_.ReplaceNode(node, {});
    return absl::OkStatus();
  }

  absl::Status VisitCall(Node* node, const Effects& effects) {
    const FunctionalCall call = *FunctionalCallOf(*node);
    const Binding arguments = ArgumentsOf(*node, call, handles_);
    std::set<std::string> touched = effects.read;
    touched.insert(effects.assigned.begin(), effects.assigned.end());
    const Names taken = Carried(touched);
    const Names returned = call.is_loop ? taken : Carried(effects.assigned);
    if (taken.empty() &&
        std::ranges::none_of(arguments, [&](const auto& v) { return IsCarried(v); }))
      return absl::OkStatus();
    ++changes_;
    tf::NodeDef def = ToNodeDef(*node);
    if (node->node_class() == NodeClass::kCase) def.mutable_attr()->at("branches").clear_list();
    for (const FunctionalCall::Function& function : call.functions) {
      const auto name = functions_.Make(function.callee, arguments, taken,
                                        function.is_condition ? Names() : returned);
      if (!name.ok()) return At(*node, name.status());
      tf::AttrValue& attr = (*def.mutable_attr())[function.attr];
      tf::NameAttrList* made =
          function.attr == "branches" ? attr.mutable_list()->add_func() : attr.mutable_func();
      made->Clear();
      made->set_name(*name);
    }
    return Replace(node, call, arguments, taken, effects.results, returned, std::move(def));
  }

  // The node with the types, inputs and results that its new functions have.
  absl::Status Replace(Node* node, const FunctionalCall& call, const Binding& arguments,
                       const Names& taken, const Binding& results, const Names& returned,
                       tf::NodeDef def) {
    std::vector<Output> inputs;
    std::vector<tf::DataType> input_types, output_types;
    for (int slot = 0; slot < node->num_inputs(); ++slot) {
      const int argument = slot - call.first_argument;
      if (argument >= 0 && IsCarried(arguments[argument])) continue;
      inputs.push_back(node->input(slot));
      if (argument >= 0) input_types.push_back(node->tf_input_types()[slot]);
    }
    for (const std::string& variable : taken) {
      inputs.push_back(values_.at(variable));
      input_types.push_back(TypeOf(variable));
    }
    std::vector<int> kept;  // outputs
    for (int i = 0; i < node->num_outputs(); ++i) {
      if (IsCarriedResult(results, i)) continue;
      kept.push_back(i);
      output_types.push_back(node->tf_output_types()[i]);
    }
    for (const std::string& variable : returned) output_types.push_back(TypeOf(variable));
    Describe(*node, call, input_types, output_types, &def);
    const absl::StatusOr<Node*> made = AddNode(graph_, def, inputs);
    if (!made.ok()) return At(*node, made.status());
    for (size_t i = 0; i < kept.size(); ++i)
      graph_.ReplaceUses({node, kept[i]}, {*made, static_cast<int>(i)});
    for (size_t i = 0; i < returned.size(); ++i)
      values_.at(returned[i]) = {*made, static_cast<int>(kept.size() + i)};
    TakePlace(node, results, *made);
    return absl::OkStatus();
  }

  static void SetTypes(const std::vector<tf::DataType>& types, tf::AttrValue* attr) {
    attr->mutable_list()->clear_type();
    for (const tf::DataType type : types) attr->mutable_list()->add_type(type);
  }

  void Describe(const Node& node, const FunctionalCall& call,
                const std::vector<tf::DataType>& input_types,
                const std::vector<tf::DataType>& output_types, tf::NodeDef* def) const {
    def->clear_input();
    def->set_name(graph_.UniqueName(node.name() + "/state"));
    auto& attrs = *def->mutable_attr();
    if (node.node_class() == NodeClass::kFunctionCall) {  // the op was the old function itself
      const tf::AttrValue function = attrs.at("f");
      attrs.clear();
      attrs["f"] = function;
      def->set_op("StatefulPartitionedCall");
    }
    attrs.erase("output_shapes");
    attrs.erase("_output_shapes");
    if (call.is_loop) return SetTypes(input_types, &attrs["T"]);
    SetTypes(input_types, &attrs["Tin"]);
    SetTypes(output_types, &attrs["Tout"]);
  }

  void TakePlace(Node* node, const Binding& results, Node* made) {
    for (int i = 0; i < node->num_outputs(); ++i)
      if (IsCarriedResult(results, i) && node->NumUses(i) > 0)
        graph_.ReplaceUses({node, i}, {AddHandle(results[i]), 0});
    for (Node* awaited : WaitsOf(*node)) graph_.AddControlEdge(awaited, made);
    MoveControlEdges(graph_, node, made);
    RemoveReplaced(graph_, node, made);
  }

  // For what reads a handle that a function returned: it is known by now of which variable.
  Node* AddHandle(const std::string& variable) {
    Node* handle = graph_.CopyNode(functions_.effects().variables().at(variable));
    graph_.Rename(handle, graph_.UniqueName(variable + "/handle"));
    tf::AttrValue name;
    name.set_s(variable);
    handle->SetAttr("shared_name", std::move(name));
    handle->ClearAttr("container");
    handles_.Set(*handle, 0, variable);
    return handle;
  }

  Graph& graph_;
  StateFunctions& functions_;
  std::map<std::string, Output>& values_;
  Handles handles_;
  int changes_ = 0;
};

// The _Args and _Retvals of a copy of a function's body, by index.
std::vector<Node*> EndsOf(const Graph& graph, NodeClass node_class) {
  std::vector<Node*> ends = graph.op_nodes();
  std::erase_if(ends, [&](const Node* node) { return node->node_class() != node_class; });
  std::ranges::sort(ends, {}, [](const Node* end) { return end->FindAttr("index")->i(); });
  return ends;
}

}  // namespace

absl::StatusOr<int> StateFunctions::CarryThrough(Graph& graph, const Binding& arguments,
                                                 std::map<std::string, Output>* values) {
  return Walk(graph, *this, values).Run(arguments);
}

// The bound is needed since a call of a few bytes may hand over all the variables of a large
// function.
absl::Status StateFunctions::HandOver(size_t variables) {
  constexpr size_t kMost = size_t{1} << 18;
  handed_over_ += variables;
  if (handed_over_ <= kMost) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "the model's calls hand over more than {} variables, counted at each call", kMost));
}

absl::StatusOr<std::string> StateFunctions::Make(const Callee& callee, const Binding& arguments,
                                                 std::span<const std::string> taken,
                                                 std::span<const std::string> returned) {
  const std::string key =
      fmt::format("{}\n\n{}\n\n{}\n\n{}", KeyOf(callee), fmt::join(arguments, "\n"),
                  fmt::join(taken, "\n"), fmt::join(returned, "\n"));
  if (const auto it = made_.find(key); it != made_.end()) return it->second;
  const absl::StatusOr<FunctionBody>& body = effects_.bodies().Find(callee).first;
  if (!body.ok()) return body.status();
  const auto size = body->graph->num_nodes() +
                    static_cast<int64_t>(arguments.size() + taken.size() + returned.size());
  if (absl::Status s = budget_.Take(callee.function, size); !s.ok()) return s;
  absl::StatusOr<std::string> name = Define(*body, callee, arguments, taken, returned);
  if (name.ok()) made_.emplace(key, *name);
  return name;
}

absl::StatusOr<std::string> StateFunctions::Define(const FunctionBody& body, const Callee& callee,
                                                   const Binding& arguments,
                                                   std::span<const std::string> taken,
                                                   std::span<const std::string> returned) {
  if (body.args.size() != arguments.size())
    return absl::InvalidArgumentError(
        fmt::format("its function '{}' has {} arguments, but is given {}", callee.function,
                    body.args.size(), arguments.size()));
  const auto effects = effects_.OfFunction(callee, arguments);
  if (!effects.ok()) return effects.status();
  Graph graph(&graph_.registry());
  graph.CopyFrom(*body.graph);
  Region region;
  std::map<const Node*, int> index_of;  // of an argument; only looked up
  const std::vector<Node*> args = EndsOf(graph, NodeClass::kArg);
  const std::vector<Node*> rets = EndsOf(graph, NodeClass::kRetval);
  for (size_t i = 0; i < args.size(); ++i) {
    if (carried_.contains(arguments[i])) continue;
    index_of[args[i]] = static_cast<int>(region.arg_types.size());
    region.arg_types.push_back(body.arg_types[i]);
  }
  std::map<std::string, Output> values;
  for (const std::string& variable : taken) {
    Node* arg = graph.AddArg(graph.UniqueName(variable + "/state"), -1, carried_.at(variable));
    values[variable] = {arg, 0};
    index_of[arg] = static_cast<int>(region.arg_types.size());
    region.arg_types.push_back(ToDataType(carried_.at(variable).dtype));
  }
  const absl::StatusOr<int> changes = CarryThrough(graph, arguments, &values);
  if (!changes.ok()) return changes.status();
  std::vector<Node*> kept;
  for (size_t i = 0; i < rets.size(); ++i)
    if (!carried_.contains((*effects)->results[i])) kept.push_back(rets[i]);
  for (const std::string& variable : returned)
    kept.push_back(graph.AddRetval(graph.UniqueName(variable + "/next"), -1, values.at(variable)));
  PruneForReverseReachability(&graph, kept, /*keep_args=*/false);
  for (const Node* ret : kept) region.results.push_back(ret->input(0));
  for (const Node* node : graph.op_nodes())
    if (node->node_class() != NodeClass::kArg && node->node_class() != NodeClass::kRetval)
      region.nodes.push_back(node);
  region.resolve = [&](Output read) -> Output {
    const auto arg = index_of.find(read.node);
    return arg == index_of.end() ? read : Output{nullptr, arg->second};
  };
  const std::string name = FreeFunctionName(graph_.functions(), callee.function + "_state");
  if (absl::Status s = graph_.functions().Add(ToFunctionDef(name, region)); !s.ok()) return s;
  return name;
}

}  // namespace linnet::converter
