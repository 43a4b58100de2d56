// SPDX-License-Identifier: Apache-2.0
// VariableV2, Variable, VarHandleOp  =>  Const with what context.variables has for it
//   ReadVariableOp(v) => v            ResourceGather(v, i) => GatherV2(v, i, axis = batch_dims)
//   ResourceGatherNd(v, i) => GatherNd(v, i)            VariableShape(v) => Shape(v)
//   VarIsInitializedOp(v), IsVariableInitialized(v) => true
//   DisableCopyOnRead(v) => nothing
//
// Runs after inline_functions: handles are followed through Identity and IdentityN only, which that
// leaves of arguments and captures. Weights are views into the checkpoint. A loop, branch or call
// that takes a handle is given the value instead. A problem for each node that changes a variable
// or does with it what is not listed here, and for each variable that is read and has no value.
#include "converter/pass/passes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "converter/functions/variable_ops.h"
#include "converter/graph/algorithm.h"
#include "converter/graph/problems.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/resources/variables.h"
#include "converter/tf_passes/variables/variable_reads.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

bool CallsFunctions(const Node& node) {
  using enum NodeClass;
  const NodeClass c = node.node_class();
  return c == kTfIf || c == kTfWhile || c == kCase || c == kFunctionCall || c == kPartitionedCall;
}

class Freezer {
 public:
  Freezer(Graph& graph, const PassContext& context) : graph_(graph), context_(context) {}

  absl::StatusOr<int> Run() {
    std::vector<Node*> variables = graph_.op_nodes();
    std::erase_if(variables, [](const Node* node) { return !IsVariable(*node); });
    for (Node* variable : variables) Freeze(variable);
    if (!problems_.empty()) return problems_.ToStatus();
    FixupSourceAndSinkEdges(&graph_);
    return changes_;
  }

 private:
  void Freeze(Node* variable) {
    const bool by_reference = variable->node_class() == NodeClass::kVariable;
    auto [handles, uses] = FindHandleUses(variable);
    std::vector<Edge*> passed;  // into functions
    std::ranges::copy_if(uses, std::back_inserter(passed),
                         [](const Edge* edge) { return CallsFunctions(*edge->dst); });
    std::erase_if(uses, [](const Edge* edge) { return CallsFunctions(*edge->dst); });
    const size_t before = problems_.all().size();
    CheckUses(*variable, uses, by_reference);
    if (problems_.all().size() != before) return;
    if (by_reference)
      ReplaceReference(variable, uses);
    else
      for (const Edge* edge : uses) ReplaceUse(*variable, edge->dst);
    for (const Edge* edge : passed) PassValue(*variable, edge);
    if (problems_.all().size() == before) Remove(handles);
  }

  // Gives a loop or branch the value instead of the handle; legalize makes its reads return that.
  void PassValue(const Node& variable, const Edge* edge) {
    Node* value = ValueOf(variable);
    if (value == nullptr) return;
    Node* user = edge->dst;
    const int slot = edge->dst_input;
    graph_.RemoveEdge(edge);
    graph_.AddEdge(value, 0, user, slot);
    ++changes_;
  }

  void CheckUses(const Node& variable, const std::vector<Edge*>& uses, bool by_reference) {
    for (const Edge* edge : uses) {
      const Node& user = *edge->dst;
      if (ReadsVariable(user) ||
          user.IsAnyOf({"VarIsInitializedOp", "IsVariableInitialized", "DisableCopyOnRead"}))
        continue;
      const auto types = user.tf_input_types();
      if (by_reference && !IsRefType(types[static_cast<size_t>(edge->dst_input)])) continue;
      const bool is_result = user.node_class() == NodeClass::kRetval;
      problems_.Add(user,
                    is_result ? HandleIsOutput(variable.name())
                              : fmt::format("changes the variable '{}': state is not supported yet",
                                            variable.name()),
                    is_result ? kNameItsReader : "export the model for inference only");
    }
  }

  // The variable's value as a Const, made at the first read; null, with a problem, if it has none.
  Node* ValueOf(const Node& variable) {
    const std::string name = VariableName(variable);
    const auto [it, added] = values_.try_emplace(name, nullptr);
    if (!added) return it->second;
    absl::StatusOr<Constant> value = ReadVariable(context_.variables, variable);
    if (value.ok()) {
      it->second = graph_.AddConstant(graph_.UniqueName(variable.name() + "/value"), *value);
      names_.emplace_back(it->second, variable.name());
    } else {
      problems_.Add(value.status(), variable.name(), variable.op_name(),
                    context_.variables == nullptr
                        ? "convert the SavedModel's folder, or give the variables with --checkpoint"
                        : "");
    }
    return it->second;
  }

  void ReplaceReference(Node* variable, const std::vector<Edge*>& uses) {
    std::vector<Node*> questions;
    for (const Edge* edge : uses)
      if (edge->dst->op_name() == "IsVariableInitialized") questions.push_back(edge->dst);
    const bool is_read = questions.size() < uses.size();
    for (Node* question : questions) ReplaceUse(*variable, question);
    if (!is_read) return;
    if (Node* value = ValueOf(*variable); value != nullptr)
      graph_.ReplaceUses({variable, 0}, {value, 0});
  }

  void ReplaceUse(const Node& variable, Node* user) {
    if (!ReadsVariable(*user)) {
      ++changes_;
      return ReplaceQuestion(graph_, user);
    }
    Node* value = ValueOf(variable);
    if (value == nullptr) return;
    ++changes_;
    const std::string name = user->name(), op = user->op_name();
    problems_.Add(ReplaceRead(graph_, user, {value, 0}), name, op);
  }

  // Removes handles that nothing reads any more, the last first; then the values get the variables'
  // names.
  void Remove(const std::vector<Output>& handles) {
    for (auto it = handles.rbegin(); it != handles.rend(); ++it) {
      Node* node = it->node;
      if (std::ranges::any_of(node->out_edges(), [](const Edge* e) { return !e->IsControlEdge(); }))
        continue;
      if (std::ranges::any_of(it + 1, handles.rend(), [node](Output o) { return o.node == node; }))
        continue;  // an IdentityN that passes the same handle on twice is removed once
      ++changes_;
      graph_.ReplaceNode(node, {});
    }
    for (const auto& [value, name] : names_)
      if (graph_.FindNode(name) == nullptr) graph_.Rename(value, name);
    names_.clear();
  }

  Graph& graph_;
  const PassContext& context_;
  Problems problems_;
  std::map<std::string, Node*> values_;  // by VariableName
  std::vector<std::pair<Node*, std::string>> names_;
  int changes_ = 0;
};

}  // namespace

absl::StatusOr<int> FreezeVariables(Graph& graph, const PassContext& context) {
  return Freezer(graph, context).Run();
}

}  // namespace linnet::converter
