// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/structured_node.h"

#include <algorithm>

#include "fmt/format.h"

namespace linnet::converter {
namespace {

std::vector<Node*> ByIndex(const Graph& region, NodeClass node_class) {
  std::vector<Node*> nodes;
  for (Node* node : region.op_nodes()) {
    if (node->node_class() != node_class || EndIndex(*node) < 0) continue;
    const auto index = static_cast<size_t>(EndIndex(*node));
    if (nodes.size() <= index) nodes.resize(index + 1);
    nodes[index] = node;
  }
  return nodes;
}

const TensorType& TypeOf(Output value) { return value.node->type(value.index); }

bool IsPredicate(const TensorType& type) {
  return type.dtype == DType::kBool && type.shape.rank() == 0;
}

absl::Status CheckArguments(NodeClass node_class, std::span<const Output> inputs,
                            const Graph& region) {
  const std::vector<Node*> arguments = RegionArguments(region);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == nullptr) continue;
    const auto input = static_cast<size_t>(InputOfArgument(node_class, static_cast<int>(i)));
    if (input >= inputs.size() || TypeOf(inputs[input]) != arguments[i]->type())
      return absl::InvalidArgumentError(
          fmt::format("argument {} of a region is input {} of the node, but the node has no such "
                      "input, or the types differ",
                      i, input));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<TensorType>> ResultTypes(const Graph& region) {
  std::vector<TensorType> types;
  for (const Output result : RegionResults(region)) {
    if (!result || !result.node->HasType(result.index))
      return absl::InvalidArgumentError("a result of a region is missing or has no type");
    types.push_back(TypeOf(result));
  }
  return types;
}

}  // namespace

std::vector<Node*> RegionArguments(const Graph& region) { return ByIndex(region, NodeClass::kArg); }

std::vector<Output> RegionResults(const Graph& region) {
  std::vector<Output> results;
  for (const Node* retval : ByIndex(region, NodeClass::kRetval))
    results.push_back(retval == nullptr ? Output() : retval->input(0));
  return results;
}

absl::StatusOr<std::vector<TensorType>> InferStructured(
    NodeClass node_class, std::span<const Output> inputs,
    std::span<const std::unique_ptr<Graph>> regions) {
  if (regions.size() != 2)
    return absl::InvalidArgumentError(
        fmt::format("the number of its regions is {}, want 2", regions.size()));
  std::vector<TensorType> results[2];
  for (size_t i = 0; i < 2; ++i) {
    if (absl::Status s = CheckArguments(node_class, inputs, *regions[i]); !s.ok()) return s;
    absl::StatusOr<std::vector<TensorType>> types = ResultTypes(*regions[i]);
    if (!types.ok()) return types.status();
    results[i] = *std::move(types);
  }
  if (node_class == NodeClass::kLinnetIf) {
    if (inputs.empty() || !IsPredicate(TypeOf(inputs[0])))
      return absl::InvalidArgumentError(
          "its input 0, which says which region runs, must be a bool scalar");
    if (results[0] != results[1])
      return absl::InvalidArgumentError(
          "its two regions, then and else, must have results of the same number and types");
    return results[0];
  }
  if (results[0].size() != 1 || !IsPredicate(results[0][0]))
    return absl::InvalidArgumentError(
        "its first region, the condition, must have one result, a bool scalar");
  if (results[1].empty() || results[1].size() > inputs.size())
    return absl::InvalidArgumentError(
        fmt::format("its second region, the body, must have a result for each loop variable: at "
                    "least 1 and at most {}, the number of inputs, but it has {}",
                    inputs.size(), results[1].size()));
  for (size_t i = 0; i < results[1].size(); ++i)
    if (results[1][i] != TypeOf(inputs[i]))
      return absl::InvalidArgumentError(fmt::format(
          "input {0} of the node and result {0} of its body are values of the same loop "
          "variable, but have different types",
          i));
  return results[1];
}

std::vector<Node*> StructuredNodes(const Graph& graph) {
  std::vector<Node*> nodes = graph.op_nodes();
  std::erase_if(nodes, [](const Node* node) { return !node->IsStructured(); });
  return nodes;
}

absl::StatusOr<Node*> Graph::AddStructured(std::string name, NodeClass node_class,
                                           std::span<const Output> inputs,
                                           std::vector<std::unique_ptr<Graph>> regions) {
  const char* op = node_class == NodeClass::kLinnetWhile ? "While" : "If";
  absl::StatusOr<std::vector<TensorType>> types = InferStructured(node_class, inputs, regions);
  if (!types.ok())
    return absl::InvalidArgumentError(
        fmt::format("{} '{}': {}", op, name, std::string(types.status().message())));
  auto props = std::make_shared<NodeProperties>();
  props->op = op;
  Node* node = Allocate(std::move(name), node_class, std::move(props));
  node->output_types_.assign(types->begin(), types->end());
  node->regions_ = std::move(regions);
  for (size_t i = 0; i < inputs.size(); ++i) SetInput(node, static_cast<int>(i), inputs[i]);
  return node;
}

}  // namespace linnet::converter
