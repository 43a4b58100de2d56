// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <sstream>

#include "converter/graph/algorithm.h"
#include "converter/graph/tensorflow/attr_value.h"
#include "converter/graph/text/attrs_text.h"
#include "converter/graph/text/constant_text.h"
#include "converter/graph/text/text.h"
#include "converter/graph/text/text_lexer.h"
#include "converter/graph/text/tf_attrs_text.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

std::string NameText(std::string_view name) {
  const bool bare = !name.empty() && std::ranges::all_of(name, TextLexer::IsWordChar);
  return bare ? std::string(name) : Quoted(name);
}

std::string InputText(const Edge& edge) {
  return TensorName(NameText(edge.src->name()), edge.src_output);
}

std::string InputsText(const Node& node) {
  std::vector<std::string> data(node.num_inputs(), "?"), controls;
  for (const Edge* edge : node.in_edges()) {
    if (!edge->IsControlEdge())
      data[edge->dst_input] = InputText(*edge);
    else if (edge->src->IsOp())
      controls.push_back(InputText(*edge));
  }
  std::ranges::sort(controls);
  data.insert(data.end(), controls.begin(), controls.end());
  return fmt::format("({})", fmt::join(data, ", "));
}

std::string TypesText(const Node& node) {
  std::vector<std::string> types;
  bool known = false;
  for (int i = 0; i < node.num_outputs(); ++i) {
    types.push_back(TypeText(node.type(i)));
    known = known || node.HasType(i);
  }
  return known ? fmt::format(" : {}", fmt::join(types, ", ")) : "";
}

// Each region in brackets, one indented line per node.
std::string RegionsText(const Node& node, const PrintOptions& options) {
  std::string text;
  for (const auto& region : node.regions()) {
    text += " [\n";
    std::istringstream lines(PrintGraph(*region, options));
    for (std::string line; std::getline(lines, line);) text += fmt::format("  {}\n", line);
    text += "]";
  }
  return text;
}

// "Conv2D(x, w) {stride_h: 2}", "tf.Conv2D(x, w) {...}", "If(p, x) [...] [...]".
std::string OpText(const Node& node, const PrintOptions& options) {
  const std::string inputs = InputsText(node);
  if (node.IsStructured()) return node.op_name() + inputs + RegionsText(node, options);
  if (node.node_class() != NodeClass::kOp)
    return fmt::format("tf.{}{}{}", node.op_name(), inputs, TfAttrsText(node));
  const std::string attrs = AttrsToText(node.attrs());
  return fmt::format("{}{}{}{}", node.op_name(), inputs, attrs.empty() ? "" : " ", attrs);
}

// `next_arg` and `next_ret` are the indices that an arg or ret without a written index would get.
std::string Line(const Node& node, const PrintOptions& options, int64_t next_arg,
                 int64_t next_ret) {
  std::string text = fmt::format("{} = ", NameText(node.name()));
  const bool has_value = node.IsConstant() && node.constant().type.dtype != DType::kInvalid;
  if (node.node_class() == NodeClass::kArg) {
    const int64_t index = EndIndex(node);
    text += index == next_arg ? "arg " : fmt::format("arg {} ", index);
    text += TypeText(node.type());
  } else if (node.node_class() == NodeClass::kRetval) {
    const int64_t index = EndIndex(node);
    text += (index == next_ret ? "ret" : fmt::format("ret {}", index)) + InputsText(node);
  } else if (has_value) {
    text += fmt::format("const {} {}", TypeText(node.type()),
                        ValueText(node.constant(), options.max_values));
    if (const std::string inputs = InputsText(node); inputs != "()")
      text += fmt::format(" {}", inputs);
  } else {
    text += OpText(node, options) + TypesText(node);
  }
  if (!node.requested_device().empty())
    text += fmt::format(" @{}", Quoted(node.requested_device()));
  if (options.sources && !node.sources().empty())
    text += fmt::format("  # {}", fmt::join(node.sources(), ", "));
  return text;
}

}  // namespace

std::string PrintNode(const Node& node, const PrintOptions& options) {
  return Line(node, options, -1, -1);
}

std::string PrintGraph(const Graph& graph, const PrintOptions& options) {
  std::vector<Node*> order = TopologicalOrder(graph);
  if (static_cast<int>(order.size()) != graph.num_op_nodes()) {  // a cycle: its nodes come last
    const std::set<Node*> ordered(order.begin(), order.end());
    for (Node* node : graph.op_nodes())
      if (!ordered.contains(node)) order.push_back(node);
  }
  std::string text;
  int64_t args = 0, rets = 0;
  for (const Node* node : order) {
    text += Line(*node, options, args, rets);
    text += '\n';
    args += node->node_class() == NodeClass::kArg;
    rets += node->node_class() == NodeClass::kRetval;
  }
  return text;
}

}  // namespace linnet::converter
