// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/variables/variable_reads.h"

#include <array>
#include <string>
#include <string_view>
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

constexpr std::string_view kScatterNd = "ResourceScatterNd", kScatter = "ResourceScatter";

// The numbers of rows as positions, [..., 1].
absl::StatusOr<Output> AddPositions(Graph& graph, const Node& assignment) {
  tf::NodeDef def;
  def.set_name(graph.UniqueName(assignment.name() + "/positions"));
  def.set_op("ExpandDims");
  (*def.mutable_attr())["T"] = TypeAttr(assignment.tf_input_types()[1]);
  (*def.mutable_attr())["Tdim"] = TypeAttr(tf::DT_INT32);
  Node* last = graph.AddConstant(graph.UniqueName(assignment.name() + "/last"),
                                 Constant::Of<int32_t>(Shape{}, {-1}));
  const absl::StatusOr<Node*> node =
      AddNode(graph, def, std::array{assignment.input(1), Output{last, 0}});
  if (!node.ok()) return node.status();
  return Output{*node, 0};
}

}  // namespace

tf::DataType AssignedType(const Node& assignment) {
  return assignment.tf_input_types()[static_cast<size_t>(assignment.num_inputs() - 1)];
}

absl::StatusOr<Output> AssignedValue(Graph& graph, const Node& assignment, Output held) {
  const std::string& op = assignment.op_name();
  if (op == "AssignVariableOp") return assignment.input(1);
  std::vector<Output> inputs = {held};
  for (int i = 1; i < assignment.num_inputs(); ++i) inputs.push_back(assignment.input(i));
  tf::NodeDef def;
  def.set_name(graph.UniqueName(assignment.name() + "/value"));
  auto& attrs = *def.mutable_attr();
  if (op == "ResourceStridedSliceAssign") {
    for (const char* name :
         {"Index", "begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"})
      if (const tf::AttrValue* attr = assignment.FindAttr(name)) attrs[name] = *attr;
    def.set_op("TensorStridedSliceUpdate");
  } else if (op.starts_with(kScatter)) {
    const bool nd = op.starts_with(kScatterNd);
    def.set_op("TensorScatter" + op.substr((nd ? kScatterNd : kScatter).size()));
    attrs["Tindices"] = TypeAttr(assignment.tf_input_types()[1]);
    if (!nd) {
      absl::StatusOr<Output> positions = AddPositions(graph, assignment);
      if (!positions.ok()) return positions;
      inputs[1] = *positions;
    }
  } else {
    def.set_op(op == "AssignAddVariableOp" ? "AddV2" : "Sub");
  }
  attrs["T"] = TypeAttr(AssignedType(assignment));
  const absl::StatusOr<Node*> node = AddNode(graph, def, inputs);
  if (!node.ok()) return node.status();
  return Output{*node, 0};
}

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
