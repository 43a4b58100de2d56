// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/graph_def.h"

#include <algorithm>
#include <set>

#include "converter/graph/tensorflow/dtypes.h"
#include "converter/graph/tensorflow/function_library.h"

namespace linnet::converter {

tf::TensorProto ToTensorProto(const Constant& value) {
  tf::TensorProto proto;
  proto.set_dtype(ToDataType(value.type.dtype));
  *proto.mutable_tensor_shape() = ToShapeProto(value.type.shape);
  // Plain() would also copy a plain value that is not aligned, which does not matter here.
  const Constant plain = value.encoding == schema::Encoding::Plain ? value : value.Plain();
  proto.set_tensor_content(plain.bytes.data(), plain.bytes.size());
  return proto;
}

tf::NodeDef ToNodeDef(const Node& node) {
  tf::NodeDef def;
  def.set_name(node.name());
  def.set_op(node.op_name());
  def.set_device(node.assigned_device().empty() ? node.requested_device() : node.assigned_device());
  for (const auto& [name, value] : node.tf_attrs()) (*def.mutable_attr())[name] = value;
  // A value of an element type that Linnet lacks is an attribute already, unless it came as raw
  // bytes.
  if (node.IsConstant() &&
      (!node.constant().bytes.empty() || node.constant().type.dtype != DType::kInvalid)) {
    tf::TensorProto& tensor = *(*def.mutable_attr())["value"].mutable_tensor();
    tensor = ToTensorProto(node.constant());
    // The element type of raw bytes is known to the attribute alone.
    if (const tf::AttrValue* dtype = node.FindAttr("dtype")) tensor.set_dtype(dtype->type());
  }
  for (const Output input : node.inputs()) def.add_input(input ? TensorName(input) : "");
  std::set<std::string> controls;
  for (const Edge* edge : node.in_edges())
    if (edge->IsControlEdge() && edge->src->IsOp()) controls.insert(edge->src->name());
  for (const std::string& name : controls) def.add_input("^" + name);
  return def;
}

tf::GraphDef ToGraphDef(const Graph& graph) {
  constexpr int kFirstConsumerOfFunctions = 12;
  tf::GraphDef def;
  *def.mutable_versions() = graph.versions();
  *def.mutable_library() = graph.functions().ToProto();
  if (!def.library().function().empty())
    def.mutable_versions()->set_min_consumer(
        std::max(def.versions().min_consumer(), kFirstConsumerOfFunctions));
  for (const Node* node : graph.op_nodes()) *def.add_node() = ToNodeDef(*node);
  return def;
}

}  // namespace linnet::converter
