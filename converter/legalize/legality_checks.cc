// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/legality_checks.h"

#include <algorithm>

#include "converter/graph/string_constant.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/legalize/complex_constant.h"
#include "converter/resources/tables.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

// The name a user would type for a node.
const std::string& UserName(const Node& node) {
  return node.sources().empty() ? node.name() : node.sources()[0];
}

}  // namespace

bool IsTensorFlowOp(const Node& node) {
  return node.IsOp() && node.node_class() != NodeClass::kOp && !node.IsStructured() &&
         node.node_class() != NodeClass::kConstant && node.node_class() != NodeClass::kArg &&
         node.node_class() != NodeClass::kRetval;
}

bool HasComplex(const Node& node) {
  return std::ranges::any_of(node.tf_input_types(), IsComplex) ||
         std::ranges::any_of(node.tf_output_types(), IsComplex);
}

bool CanBeInput(const Node& arg, Problems* problems) {
  if (HasComplex(arg)) {
    problems->Add({UserName(arg), arg.op_name(),
                   "complex numbers can be used inside a model, but not be its inputs", "",
                   absl::StatusCode::kUnimplemented});
    return false;
  }
  if (!arg.HasType(0)) {
    problems->Add({UserName(arg), arg.op_name(), "the shape or type of this input is not known",
                   fmt::format("give it with --input {}=DIMxDIMx...", UserName(arg)),
                   absl::StatusCode::kInvalidArgument});
    return false;
  }
  return true;
}

bool CanBeOutput(const Node& retval, const TensorLists& lists, Problems* problems) {
  const Output value = retval.input(0);
  const auto refuse = [&](std::string reason, std::string remedy) {
    problems->Add({UserName(retval), value.node->op_name(), std::move(reason), std::move(remedy),
                   absl::StatusCode::kUnimplemented});
    return false;
  };
  if (lists.Find(value) != nullptr)
    return refuse("lists of tensors can be used inside a model, but not be its outputs",
                  "fetch what stacks it");
  const tf::AttrValue* attr = retval.FindAttr("T");
  if (attr == nullptr) return true;
  if (StringsOf(*value.node))
    return refuse("there are no strings in a plan", "fetch what is made of them");
  // What failed before has no type either, and has been reported.
  if (!value.node->HasType(value.index) && !value.node->IsConstant()) return false;
  // The pairs that a constant of complex numbers has become are no output, either.
  const bool is_pairs =
      value.node->IsConstant() && IsComplex(value.node->tf_output_type(value.index));
  if (is_pairs || !value.node->HasType(value.index))
    return refuse(fmt::format("Linnet has no tensors of type {} that could be an output",
                              DataTypeString(value.node->tf_output_types()[0])),
                  "fetch what is made of it, or a Cast of it");
  if (ToDType(attr->type()) == DType::kInvalid)
    return refuse(fmt::format("{} numbers can be used inside a model, but not be its outputs",
                              DataTypeString(attr->type())),
                  "");
  return true;
}

bool InputsAreLegal(const Node& node, bool may_be_lists, const TensorLists& lists,
                    Problems* problems) {
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Output input = node.input(i);
    if (!input) {
      problems->Add(node, fmt::format("input {} is missing", i));
      return false;
    }
    if (lists.Find(input) != nullptr) {
      if (may_be_lists) continue;
      problems->Add(node, fmt::format("input {} is a list of tensors", i));
      return false;
    }
    if (IsTable(*input.node)) {
      if (may_be_lists) continue;
      problems->Add(node, fmt::format("input {} is a hash table", i));
      return false;
    }
    if (IsTensorFlowOp(*input.node)) return false;
    if (input.node->HasType(input.index)) continue;
    if (may_be_lists && StringsOf(*input.node)) continue;
    if (IsComplexConstant(*input.node)) return false;  // its value has been reported
    if (input.node->IsConstant()) {
      const auto types = input.node->tf_output_types();
      problems->Add(
          node,
          fmt::format("input {} ('{}') is a constant of dtype {}, which Linnet does not have", i,
                      input.node->name(), types.empty() ? "?" : DataTypeString(types[0])),
          CutBefore(node));
    }
    return false;
  }
  return true;
}

bool ExtentsAreFixed(const Graph& graph, const Node& node, Problems* problems) {
  if (graph.shapes().empty()) return true;
  for (int i = 0; i < node.num_inputs(); ++i) {
    if (!graph.Varies(node.input(i))) continue;
    problems->Add({node.name(), node.op_name(),
                   fmt::format("it wants fixed extents, but input {} has {}", i,
                               graph.shapes().symbols().Text(graph.ExtentsOf(node.input(i)))),
                   CutBefore(node), absl::StatusCode::kUnimplemented});
    return false;
  }
  return true;
}

bool IsFetchedAsComplex(const Node& node, Problems* problems) {
  const auto types = node.tf_output_types();
  for (const Edge* edge : node.out_edges()) {
    if (edge->IsControlEdge() || edge->dst->node_class() != NodeClass::kRetval) continue;
    const tf::DataType type = types[edge->src_output];
    if (!IsComplex(type)) continue;
    problems->Add({node.name(), node.op_name(),
                   fmt::format("{} numbers can be used inside a model, but not be its outputs",
                               DataTypeString(type)),
                   "fetch their Real and Imag parts, or ComplexAbs",
                   absl::StatusCode::kUnimplemented});
    return true;
  }
  return false;
}

std::string CutBefore(const Node& node) {
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Output input = node.input(i);
    if (!input || input.node->IsConstant() || input.node->node_class() == NodeClass::kArg ||
        IsTensorFlowOp(*input.node))  // which no plan can end with either
      continue;
    return fmt::format("--output {} ends the model before it",
                       TensorName(UserName(*input.node), input.index));
  }
  return "";
}

}  // namespace linnet::converter
