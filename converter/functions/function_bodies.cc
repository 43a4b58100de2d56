// SPDX-License-Identifier: Apache-2.0
#include "converter/functions/function_bodies.h"

#include <memory>

#include "converter/graph/tensorflow/function_library.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {

std::string KeyOf(const Callee& callee) {
  std::map<std::string, std::string> sorted;
  for (const auto& [name, value] : callee.attrs) sorted.emplace(name, value.SerializeAsString());
  std::string key = callee.function;
  for (const auto& [name, value] : sorted)
    key += fmt::format("\n{} {} {}", name, value.size(), value);
  return key;
}

bool IsCall(const Node& node) {
  return node.node_class() == NodeClass::kFunctionCall ||
         node.node_class() == NodeClass::kPartitionedCall;
}

Callee CalleeOf(const Node& node) {
  if (node.node_class() == NodeClass::kFunctionCall)
    return {node.op_name(), {node.tf_attrs().begin(), node.tf_attrs().end()}};
  const tf::AttrValue* f = node.FindAttr("f");
  if (f == nullptr) return {};
  return {f->func().name(), f->func().attr()};
}

std::vector<std::string> FunctionsReached(const FunctionLibrary& functions,
                                          std::span<Node* const> nodes) {
  std::vector<std::string> called;
  for (const Node* node : nodes) {
    if (node->node_class() == NodeClass::kFunctionCall) called.push_back(node->op_name());
    for (const auto& [name, value] : node->tf_attrs()) {
      if (value.has_func()) called.push_back(value.func().name());
      for (const tf::NameAttrList& function : value.list().func())
        called.push_back(function.name());
    }
  }
  return functions.Reachable(called);
}

FunctionBodies::FunctionBodies(const Graph& graph, int64_t* constant_room,
                               std::vector<std::string>* notes)
    : context_{.registry = &graph.registry(),
               .library = &graph.functions(),
               .versions = graph.versions(),
               .constant_room = constant_room != nullptr ? constant_room : &own_room_,
               .notes = notes} {}

std::pair<const absl::StatusOr<FunctionBody>&, bool> FunctionBodies::Find(const Callee& callee) {
  const std::string key = KeyOf(callee);
  if (const auto it = bodies_.find(key); it != bodies_.end()) return {it->second, false};
  return {bodies_.emplace(key, Make(callee)).first->second, true};
}

absl::StatusOr<FunctionBody> FunctionBodies::Make(const Callee& callee) {
  const std::shared_ptr<const tf::FunctionDef> function = context_.library->Share(callee.function);
  if (function == nullptr)
    return absl::InvalidArgumentError(
        fmt::format("calls the function '{}', which the model does not have", callee.function));
  const std::vector<std::string> cycle = context_.library->FindCycle(callee.function, &acyclic_);
  if (!cycle.empty())
    return absl::UnimplementedError(fmt::format("the function '{}' is recursive: {}",
                                                callee.function, fmt::join(cycle, " -> ")));
  return InstantiateFunction(function, callee.attrs, context_);
}

}  // namespace linnet::converter
