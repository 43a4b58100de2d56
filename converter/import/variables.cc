// SPDX-License-Identifier: Apache-2.0
#include "converter/import/variables.h"

#include "fmt/format.h"

namespace linnet::converter {
namespace {

std::string TextAttr(const Node& node, std::string_view name) {
  const tf::AttrValue* attr = node.FindAttr(name);
  return attr == nullptr ? std::string() : attr->s();
}

}  // namespace

std::string VariableName(const Node& variable) {
  const std::string container = TextAttr(variable, "container");
  std::string name = TextAttr(variable, "shared_name");
  if (name.empty()) name = variable.name();
  return container.empty() ? name : fmt::format("{}/{}", container, name);
}

bool IsVariable(const Node& node) {
  return node.node_class() == NodeClass::kVariable || node.op_name() == "VarHandleOp";
}

const Node* VariableBehind(Output value) {
  while (value &&
         (value.node->node_class() == NodeClass::kIdentity || value.node->op_name() == "IdentityN"))
    value = value.node->input(value.index);
  return value && IsVariable(*value.node) ? value.node : nullptr;
}

}  // namespace linnet::converter
