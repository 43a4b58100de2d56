// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/string_constant.h"

#include "converter/graph/tensorflow/dtypes.h"

namespace linnet::converter {

std::optional<StringTensor> StringsOf(const Node& node) {
  // A message repeats its last string as often as its shape says, so a few bytes of an untrusted
  // model could ask for any number.
  constexpr int64_t kMaxStrings = int64_t{1} << 24;
  if (!node.IsConstant() || node.tf_output_types()[0] != tf::DT_STRING) return std::nullopt;
  const tf::AttrValue* attr = node.FindAttr("value");
  if (attr == nullptr) return std::nullopt;
  const std::optional<Shape> shape = StaticShape(attr->tensor().tensor_shape());
  const auto& given = attr->tensor().string_val();
  if (!shape || shape->num_elements() > kMaxStrings) return std::nullopt;
  StringTensor strings{*shape, {given.begin(), given.end()}};
  strings.values.resize(static_cast<size_t>(shape->num_elements()),
                        given.empty() ? std::string() : given[given.size() - 1]);
  return strings;
}

absl::StatusOr<Node*> AddStrings(Graph* graph, std::string name, StringTensor strings) {
  tf::NodeDef def;
  def.set_name(std::move(name));
  def.set_op("Const");
  (*def.mutable_attr())["dtype"].set_type(tf::DT_STRING);
  absl::StatusOr<Node*> node = graph->AddNode(def);
  if (!node.ok()) return node;
  tf::AttrValue value;
  tf::TensorProto& tensor = *value.mutable_tensor();
  tensor.set_dtype(tf::DT_STRING);
  *tensor.mutable_tensor_shape() = ToShapeProto(strings.shape);
  for (std::string& text : strings.values) tensor.add_string_val(std::move(text));
  (*node)->SetAttr("value", std::move(value));
  return node;
}

}  // namespace linnet::converter
