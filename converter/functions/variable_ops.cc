// SPDX-License-Identifier: Apache-2.0
#include "converter/functions/variable_ops.h"

#include <algorithm>
#include <iterator>

#include "converter/functions/function_bodies.h"
#include "converter/graph/tensorflow/function_library.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

std::string TextAttr(const Node& node, std::string_view name) {
  const tf::AttrValue* attr = node.FindAttr(name);
  return attr == nullptr ? std::string() : attr->s();
}

bool PassesOn(const Node& node) {
  return node.node_class() == NodeClass::kIdentity || node.op_name() == "IdentityN";
}

}  // namespace

std::string VariableName(const Node& variable) {
  const std::string container = TextAttr(variable, "container");
  std::string name = TextAttr(variable, "shared_name");
  if (name.empty()) name = variable.name();
  return container.empty() ? name : fmt::format("{}/{}", container, name);
}

bool IsVariable(const Node& node) {
  return node.node_class() == NodeClass::kVariable || node.op_name() == "VarHandleOp";
}

bool ReadsVariable(const Node& node) {
  return node.IsAnyOf({"ReadVariableOp", "ResourceGather", "ResourceGatherNd", "VariableShape"});
}

bool AssignsVariable(std::string_view op) {
  constexpr std::string_view kOps[] = {
      "AssignVariableOp",      "AssignAddVariableOp",       "AssignSubVariableOp",
      "ResourceScatterNdAdd",  "ResourceScatterNdMax",      "ResourceScatterNdMin",
      "ResourceScatterNdSub",  "ResourceScatterNdUpdate",   "ResourceScatterAdd",
      "ResourceScatterMax",    "ResourceScatterMin",        "ResourceScatterSub",
      "ResourceScatterUpdate", "ResourceStridedSliceAssign"};
  return std::ranges::find(kOps, op) != std::end(kOps);
}

bool AssignsVariable(const Node& node) { return AssignsVariable(node.op_name()); }

std::string_view AssignmentByHandle(std::string_view op) {
  if (op == "Assign") return "AssignVariableOp";
  if (op == "AssignAdd") return "AssignAddVariableOp";
  if (op == "AssignSub") return "AssignSubVariableOp";
  return {};
}

bool OnlyTakesHandle(const Node& node) {
  return node.IsAnyOf({"VarIsInitializedOp", "DisableCopyOnRead"});
}

bool TouchesState(const Node& node) {
  const NodeClass c = node.node_class();
  return ReadsVariable(node) || AssignsVariable(node) || IsCall(node) || c == NodeClass::kTfIf ||
         c == NodeClass::kTfWhile || c == NodeClass::kCase;
}

bool MayAssign(const FunctionLibrary& functions, std::span<Node* const> nodes) {
  const auto assigns = [](std::string_view op) {
    return AssignsVariable(op) || !AssignmentByHandle(op).empty();
  };
  if (std::ranges::any_of(nodes, [&](const Node* node) { return assigns(node->op_name()); }))
    return true;
  const std::vector<std::string> reached = FunctionsReached(functions, nodes);
  return std::ranges::any_of(reached, [&](const std::string& name) {
    return std::ranges::any_of(functions.Find(name)->node_def(),
                               [&](const tf::NodeDef& node) { return assigns(node.op()); });
  });
}

HandleUses FindHandleUses(Node* variable) {
  const bool by_reference = variable->node_class() == NodeClass::kVariable;
  HandleUses found{{{variable, 0}}, {}};
  for (size_t i = 0; i < found.handles.size(); ++i) {
    const Output handle = found.handles[i];
    for (Edge* edge : handle.node->Uses(handle.index)) {
      if (PassesOn(*edge->dst) && !by_reference)
        found.handles.push_back({edge->dst, edge->dst_input});
      else
        found.uses.push_back(edge);
    }
  }
  return found;
}

Output BehindIdentity(Output value) {
  while (value && PassesOn(*value.node)) value = value.node->input(value.index);
  return value;
}

const Node* VariableBehind(Output value) {
  value = BehindIdentity(value);
  return value && IsVariable(*value.node) ? value.node : nullptr;
}

}  // namespace linnet::converter
