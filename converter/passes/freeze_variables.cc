// SPDX-License-Identifier: Apache-2.0
#include "converter/passes/freeze_variables.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "converter/graph/algorithm.h"
#include "converter/graph/dtypes.h"
#include "converter/graph/problems.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

bool IsControlFlow(const Node& node) {
  using enum NodeClass;
  const NodeClass c = node.node_class();
  return c == kIf || c == kWhile || c == kCase || c == kFunctionCall || c == kPartitionedCall;
}

bool IsAnyOf(const Node& node, std::initializer_list<std::string_view> ops) {
  return std::ranges::find(ops, node.op_name()) != ops.end();
}

tf::AttrValue TypeAttr(tf::DataType type) {
  tf::AttrValue attr;
  attr.set_type(type);
  return attr;
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
                         [](const Edge* edge) { return IsControlFlow(*edge->dst); });
    std::erase_if(uses, [](const Edge* edge) { return IsControlFlow(*edge->dst); });
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

  // What loops and branches are given as a handle is the value, which their reads give on
  // (legalize).
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
          IsAnyOf(user, {"VarIsInitializedOp", "IsVariableInitialized", "DisableCopyOnRead"}))
        continue;
      const auto types = user.tf_input_types();
      if (by_reference && !IsRefType(types[static_cast<size_t>(edge->dst_input)])) continue;
      const bool is_result = user.node_class() == NodeClass::kRetval;
      problems_.Add(user,
                    is_result
                        ? fmt::format("the variable '{}' itself is asked for", variable.name())
                        : fmt::format("changes the variable '{}': state is not supported yet",
                                      variable.name()),
                    is_result ? "ask for what reads it" : "export the model for inference only");
    }
  }

  // The variable's value as a Const, made when somebody reads it first; null with a problem.
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
                        ? "convert the SavedModel's folder, or freeze the graph first"
                        : "");
    }
    return it->second;
  }

  void ReplaceReference(Node* variable, const std::vector<Edge*>& uses) {
    std::vector<Node*> asked;
    bool is_read = false;
    for (const Edge* edge : uses) {
      if (IsAnyOf(*edge->dst, {"IsVariableInitialized"}))
        asked.push_back(edge->dst);
      else
        is_read = true;
    }
    for (Node* node : asked) ReplaceUse(*variable, node);
    if (!is_read) return;
    if (Node* value = ValueOf(*variable); value != nullptr)
      graph_.ReplaceUses({variable, 0}, {value, 0});
  }

  void ReplaceUse(const Node& variable, Node* user) {
    if (user->op_name() == "DisableCopyOnRead") return graph_.ReplaceNode(user, {});
    if (!ReadsVariable(*user)) return ReplaceByTrue(user);
    Node* value = ValueOf(variable);
    if (value == nullptr) return;
    ++changes_;
    if (user->op_name() == "ReadVariableOp") {
      const Output read{value, 0};
      return graph_.ReplaceNode(user, {&read, 1});
    }
    ReplaceByOp(user, value);
  }

  void ReplaceByTrue(Node* user) {
    ++changes_;
    const std::string name = user->name();
    void* data = nullptr;
    Constant yes = Constant::Allocate({DType::kBool, Shape{}}, &data);
    *static_cast<uint8_t*>(data) = 1;
    Node* constant = graph_.AddConstant(graph_.UniqueName(name + "/value"), std::move(yes));
    const Output output{constant, 0};
    graph_.ReplaceNode(user, {&output, 1});
    graph_.Rename(constant, name);
  }

  // ResourceGather, ResourceGatherNd, VariableShape: the op without the resource, under its name.
  void ReplaceByOp(Node* user, Node* value) {
    tf::NodeDef def;
    auto& attrs = *def.mutable_attr();
    const tf::DataType type = value->tf_output_types()[0];
    std::vector<Output> inputs = {{value, 0}};
    if (user->op_name() == "VariableShape") {
      def.set_op("Shape");
      attrs["T"] = TypeAttr(type);
      attrs["out_type"] = TypeAttr(user->tf_output_types()[0]);
    } else {
      const bool nd = user->op_name() == "ResourceGatherNd";
      def.set_op(nd ? "GatherNd" : "GatherV2");
      attrs["Tparams"] = TypeAttr(type);
      attrs["Tindices"] = TypeAttr(user->tf_input_types()[1]);
      inputs.push_back(user->input(1));
      if (!nd) inputs.push_back(AddAxis(*user, &attrs));
    }
    const std::string name = user->name();
    def.set_name(graph_.UniqueName(name + "/frozen"));
    absl::StatusOr<Node*> node = graph_.AddNode(def);
    if (!node.ok()) return problems_.Add(node.status(), name, user->op_name());
    for (size_t i = 0; i < inputs.size(); ++i)
      graph_.AddEdge(inputs[i].node, inputs[i].index, *node, static_cast<int>(i));
    (*node)->set_requested_device(user->requested_device());
    const Output output{*node, 0};
    graph_.ReplaceNode(user, {&output, 1});
    graph_.Rename(*node, name);
  }

  // Gathers lie along the first dimension behind the batch.
  Output AddAxis(const Node& user, google::protobuf::Map<std::string, tf::AttrValue>* attrs) {
    const tf::AttrValue* given = user.FindAttr("batch_dims");
    const int64_t batch_dims = given == nullptr ? 0 : given->i();
    (*attrs)["batch_dims"].set_i(batch_dims);
    (*attrs)["Taxis"] = TypeAttr(tf::DT_INT32);
    return {graph_.AddConstant(graph_.UniqueName(user.name() + "/axis"),
                               Constant::Of<int32_t>(Shape{}, {static_cast<int32_t>(batch_dims)})),
            0};
  }

  // Handles that nobody reads any more, the last first; then the values get the variables' names.
  void Remove(const std::vector<Output>& handles) {
    for (auto it = handles.rbegin(); it != handles.rend(); ++it) {
      Node* node = it->node;
      if (std::ranges::any_of(node->out_edges(), [](const Edge* e) { return !e->IsControlEdge(); }))
        continue;
      if (std::ranges::any_of(it + 1, handles.rend(), [node](Output o) { return o.node == node; }))
        continue;  // an IdentityN that passes the same handle on twice: once is enough
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
