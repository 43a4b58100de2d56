// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/variables/variable_reads.h"

#include <string>
#include <vector>

#include "converter/graph/tensorflow/dtypes.h"
#include "converter/tf_passes/control_flow/control_flow_region.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

tf::AttrValue TypeAttr(tf::DataType type) {
  tf::AttrValue attr;
  attr.set_type(type);
  return attr;
}

// Gathers lie along the first dimension behind the batch.
Output AddAxis(Graph& graph, const Node& user, tf::NodeDef* def) {
  const tf::AttrValue* given = user.FindAttr("batch_dims");
  const int64_t batch_dims = given == nullptr ? 0 : given->i();
  (*def->mutable_attr())["batch_dims"].set_i(batch_dims);
  (*def->mutable_attr())["Taxis"] = TypeAttr(tf::DT_INT32);
  return {graph.AddConstant(graph.UniqueName(user.name() + "/axis"),
                            Constant::Of<int32_t>(Shape{}, {static_cast<int32_t>(batch_dims)})),
          0};
}

}  // namespace

absl::Status ReplaceRead(Graph& graph, Node* user, Output value) {
  const tf::DataType held = value.node->tf_output_types()[value.index];
  const tf::DataType wanted = user->tf_output_types()[0];
  if (user->op_name() != "VariableShape" && wanted != held)
    return absl::InvalidArgumentError(fmt::format("reads its variable as {}, but it holds {}",
                                                  DataTypeString(wanted), DataTypeString(held)));
  if (user->op_name() == "ReadVariableOp") {
    graph.ReplaceNode(user, {&value, 1});
    return absl::OkStatus();
  }
  tf::NodeDef def;
  auto& attrs = *def.mutable_attr();
  std::vector<Output> inputs = {value};
  if (user->op_name() == "VariableShape") {
    def.set_op("Shape");
    attrs["T"] = TypeAttr(held);
    attrs["out_type"] = TypeAttr(wanted);
  } else {
    const bool nd = user->op_name() == "ResourceGatherNd";
    def.set_op(nd ? "GatherNd" : "GatherV2");
    attrs["Tparams"] = TypeAttr(held);
    attrs["Tindices"] = TypeAttr(user->tf_input_types()[1]);
    inputs.push_back(user->input(1));
    if (!nd) inputs.push_back(AddAxis(graph, *user, &def));
  }
  const std::string name = user->name();
  def.set_name(graph.UniqueName(name + "/frozen"));
  const absl::StatusOr<Node*> node = AddNode(graph, def, inputs);
  if (!node.ok()) return node.status();
  (*node)->set_requested_device(user->requested_device());
  const Output output{*node, 0};
  graph.ReplaceNode(user, {&output, 1});
  graph.Rename(*node, name);
  return absl::OkStatus();
}

void ReplaceQuestion(Graph& graph, Node* user) {
  if (user->op_name() == "DisableCopyOnRead") return graph.ReplaceNode(user, {});
  const std::string name = user->name();
  void* data = nullptr;
  Constant yes = Constant::Allocate({DType::kBool, Shape{}}, &data);
  *static_cast<uint8_t*>(data) = 1;
  Node* constant = graph.AddConstant(graph.UniqueName(name + "/value"), std::move(yes));
  const Output output{constant, 0};
  graph.ReplaceNode(user, {&output, 1});
  graph.Rename(constant, name);
}

std::string HandleIsOutput(std::string_view variable) {
  return fmt::format("the output is the handle of variable '{}', not its value", variable);
}

void RemoveReplaced(Graph& graph, Node* node, Node* made) {
  made->set_sources(node->sources());
  made->set_requested_device(node->requested_device());
  const std::string name = node->name();
  graph.RemoveNode(node);
  graph.Rename(made, name);
}

}  // namespace linnet::converter
