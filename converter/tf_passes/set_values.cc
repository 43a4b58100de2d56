// SPDX-License-Identifier: Apache-2.0
// Gives the tensors of context.fixed their values (--set): what reads them reads a constant. Like a
// feed, any tensor may be set, and what computes it is needed no more. `prune` removes that.
//
// Errors (all of them in one status):
//   --set x: there is no such tensor
//   --set x: set more than once; also an input; also an output
//   node 'x': a value that does not fit its type or shape (GivenValue), or a type without constants
#include <algorithm>
#include <string>
#include <vector>

#include "converter/graph/problems.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/import/graph_constructor.h"
#include "converter/pass/passes.h"
#include "converter/tf_passes/given_value.h"
#include "converter/tf_passes/near_nodes.h"
#include "converter/tf_passes/partial_shape.h"
#include "fmt/format.h"
#include "runtime/core/tensor_name.h"

namespace linnet::converter {
namespace {

// What else is said of a tensor that is set, or "".
std::string Contradiction(const PassContext& context, const FixedTensor& fixed) {
  const auto is_it = [&](std::string_view tensor) { return SameTensor(tensor, fixed.tensor); };
  if (std::ranges::count_if(context.fixed, is_it, &FixedTensor::tensor) > 1)
    return "it is set more than once";
  if (std::ranges::any_of(context.feeds, is_it, &Feed::tensor)) return "it is also an input";
  if (std::ranges::any_of(context.fetches, is_it)) return "it is also an output";
  return "";
}

class ValueSetter {
 public:
  ValueSetter(Graph& graph, const PassContext& context) : graph_(graph), context_(context) {}

  absl::StatusOr<int> Run() {
    for (const FixedTensor& fixed : context_.fixed) Set(fixed);
    if (absl::Status status = problems_.ToStatus(); !status.ok()) return status;
    return changes_;
  }

 private:
  void Set(const FixedTensor& fixed) {
    const auto [name, slot] = ParseTensorName(fixed.tensor);
    Node* node = graph_.FindNode(name);
    std::string problem = Contradiction(context_, fixed);
    if (node == nullptr || !node->IsOp() || slot < 0 || slot >= node->num_outputs()) {
      problem = "there is no such tensor";
      if (const std::string near = NearNodes(graph_, name); !near.empty()) problem += "; " + near;
    }
    if (!problem.empty())
      problems_.Add(Problem{.reason = fmt::format("--set {}: {}", fixed.tensor, problem)});
    else if (absl::StatusOr<Constant> value = Value(fixed, {node, slot}); !value.ok())
      problems_.Add(value.status(), node->name(), std::string(node->op_name()));
    else
      Replace({node, slot}, *std::move(value));
  }

  absl::StatusOr<Constant> Value(const FixedTensor& fixed, Output tensor) {
    const tf::DataType type = BaseType(tensor.node->tf_output_types()[tensor.index]);
    const DType dtype = ToDType(type);
    if (dtype == DType::kInvalid)
      return absl::InvalidArgumentError(
          fmt::format("a value of type {} cannot be set", DataTypeString(type)));
    absl::StatusOr<Constant> value = GivenValue(
        fixed, dtype, DeclaredShape(graph_, *tensor.node, tensor.index), context_.constant_room);
    if (value.ok()) return value;
    return absl::Status(
        value.status().code(),
        fmt::format("--set {}: {}",
                    fixed.text.empty() ? fixed.tensor : fixed.tensor + "=" + fixed.text,
                    std::string(value.status().message())));
  }

  void Replace(Output tensor, Constant value) {
    const auto reads = [&](const Edge* edge) {
      return !edge->IsControlEdge() && edge->src_output == tensor.index;
    };
    // A placeholder computes nothing, so nothing has to wait for it.
    std::vector<const Edge*> waits;
    if (tensor.node->node_class() == NodeClass::kPlaceholder)
      std::ranges::copy_if(tensor.node->out_edges(), std::back_inserter(waits),
                           &Edge::IsControlEdge);
    for (const Edge* edge : waits) graph_.RemoveEdge(edge);
    changes_ += static_cast<int>(waits.size());
    if (std::ranges::none_of(tensor.node->out_edges(), reads)) return;
    Node* constant = graph_.AddConstant(
        graph_.UniqueName(fmt::format("{}/value", tensor.node->name())), std::move(value));
    graph_.ReplaceUses(tensor, {constant, 0});
    ++changes_;
  }

  Graph& graph_;
  const PassContext& context_;
  Problems problems_;
  int changes_ = 0;
};

}  // namespace

absl::StatusOr<int> SetValues(Graph& graph, const PassContext& context) {
  return ValueSetter(graph, context).Run();
}

}  // namespace linnet::converter
