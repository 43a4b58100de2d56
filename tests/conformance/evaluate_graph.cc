// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/evaluate_graph.h"

#include <optional>
#include <vector>

#include "converter/graph/algorithm.h"
#include "converter/graph/structured_node.h"
#include "converter/pass/evaluate_op.h"

namespace linnet::conformance {
namespace {

using converter::Constant;
using converter::Graph;
using converter::Node;
using converter::NodeClass;
using Values = std::vector<Constant>;

// The values of a graph's symbols while its nodes are evaluated.
class SymbolValues {
 public:
  explicit SymbolValues(const Graph& graph)
      : shapes_(graph.shapes()), values_(graph.shapes().symbols().Largest()) {}

  // The node's attributes with the current values of symbols.
  std::optional<converter::OpAttrs> Attrs(const Node& node) const {
    converter::OpAttrs attrs = node.attrs();
    for (const auto& [slot, extent] : node.attrs().varying())
      if (!FindOp(attrs.kind())
               ->set_extent(attrs.data(), slot, shapes_.symbols().Value(extent, values_)))
        return std::nullopt;
    return attrs;
  }
  // Finds the values of symbols that are extents of a fed tensor or come from a node's outputs.
  void SetFed(const Node& arg, const Shape& shape) {
    if (const auto* extents = shapes_.Find(&arg, 0))
      for (int d = 0; d < shape.rank(); ++d)
        if (!(*extents)[d].is_constant())
          values_[shapes_.symbols().Root((*extents)[d].terms()[0].symbol)] = shape[d];
  }
  void SetFrom(const Node& node, const std::vector<Constant>& outputs) {
    for (int i = 0; i < shapes_.symbols().size(); ++i) {
      const auto& [source, output, element] = shapes_.source(i);
      if (source != &node) continue;
      values_[shapes_.symbols().Root(i)] = element < 0 ? outputs[output].type.shape[-1 - element]
                                                       : outputs[output].ToInt64()[element];
    }
  }
  // Does the value have the type and shape that the graph says for this output?
  bool Fits(const Node& node, int output, const TensorType& type) const {
    const auto* extents = shapes_.Find(&node, output);
    if (extents == nullptr) return type == node.type(output);
    for (int d = 0; d < type.shape.rank(); ++d)
      if (type.shape[d] != shapes_.symbols().Value((*extents)[d], values_) ||
          type.shape[d] > node.type(output).shape[d])
        return false;
    return type.dtype == node.type(output).dtype &&
           type.shape.rank() == node.type(output).shape.rank();
  }

 private:
  const converter::SymbolicShapes& shapes_;
  converter::SymbolTable::Values values_;
};

absl::Status Error(const Node& node, std::string_view what) {
  return absl::InternalError(node.Describe() + ": " + std::string(what));
}

absl::StatusOr<Values> EvaluateNode(const Node& node, const Values& inputs,
                                    const SymbolValues& symbols) {
  const std::optional<converter::OpAttrs> attrs = symbols.Attrs(node);
  if (!attrs) return Error(node, "its extents are none");
  auto outputs = converter::EvaluateOp(*attrs, inputs);
  if (!outputs.ok())
    return Error(node, std::string_view(outputs.status().message().data(),
                                        outputs.status().message().size()));
  return outputs;
}

// The results, sorted by index.
absl::StatusOr<Values> EvaluateRegion(const Node& node, const Graph& region, const Values& inputs) {
  const auto argument = [&](const Node& arg) {
    const auto index = static_cast<int>(arg.FindAttr("index")->i());
    return inputs.at(static_cast<size_t>(converter::InputOfArgument(node.node_class(), index)));
  };
  const auto results = EvaluateGraph(region, argument);
  if (!results.ok()) return results.status();
  Values values(results->size());
  for (const auto& [ret, value] : *results)
    values.at(static_cast<size_t>(ret->FindAttr("index")->i())) = value;
  return values;
}

absl::StatusOr<Values> EvaluateWhile(const Node& node, Values inputs) {
  constexpr int kMaxIterations = 10'000;
  const auto num_variables = static_cast<size_t>(node.num_outputs());
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const auto goes_on = EvaluateRegion(node, *node.regions()[0], inputs);
    if (!goes_on.ok()) return goes_on.status();
    if (goes_on->at(0).ScalarValue() == 0) {
      inputs.resize(num_variables);
      return inputs;
    }
    const auto next = EvaluateRegion(node, *node.regions()[1], inputs);
    if (!next.ok()) return next.status();
    std::copy(next->begin(), next->end(), inputs.begin());
  }
  return Error(node, "does not end");
}

}  // namespace

absl::StatusOr<std::map<const Node*, Constant>> EvaluateGraph(
    const Graph& graph, const std::function<Constant(const Node&)>& argument) {
  std::map<const Node*, Values> values;
  std::map<const Node*, Constant> results;
  SymbolValues symbols(graph);
  for (const Node* node : converter::TopologicalOrder(graph)) {
    Values inputs;
    for (int i = 0; i < node->num_inputs(); ++i)
      inputs.push_back(values.at(node->input(i).node).at(node->input(i).index));
    absl::StatusOr<Values> outputs = Values();
    switch (node->node_class()) {
      case NodeClass::kConstant:
        outputs->push_back(node->constant());
        break;
      case NodeClass::kArg:
        outputs->push_back(argument(*node));
        symbols.SetFed(*node, outputs->at(0).type.shape);
        break;
      case NodeClass::kRetval:
        results.emplace(node, inputs.at(0).Plain());
        break;
      case NodeClass::kOp:
        outputs = EvaluateNode(*node, inputs, symbols);
        break;
      case NodeClass::kLinnetWhile:
        outputs = EvaluateWhile(*node, inputs);
        break;
      case NodeClass::kLinnetIf:
        outputs = EvaluateRegion(*node, *node->regions()[inputs.at(0).ScalarValue() != 0 ? 0 : 1],
                                 inputs);
        break;
      default:
        return Error(*node, "still a TensorFlow op");
    }
    if (!outputs.ok()) return outputs.status();
    symbols.SetFrom(*node, *outputs);
    for (size_t i = 0; i < outputs->size(); ++i)
      if (!symbols.Fits(*node, static_cast<int>(i), outputs->at(i).type))
        return Error(*node, "evaluates to another type");
    values[node] = *std::move(outputs);
  }
  return results;
}

}  // namespace linnet::conformance
