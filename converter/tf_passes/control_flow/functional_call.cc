// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/control_flow/functional_call.h"

namespace linnet::converter {
namespace {

bool AddFunction(const Node& node, const char* attr, bool is_condition, FunctionalCall* call) {
  const tf::AttrValue* value = node.FindAttr(attr);
  if (value == nullptr || !value->has_func()) return false;
  call->functions.push_back({attr, {value->func().name(), value->func().attr()}, is_condition});
  return true;
}

bool AddBranches(const Node& node, FunctionalCall* call) {
  const tf::AttrValue* value = node.FindAttr("branches");
  if (value == nullptr) return false;
  for (const tf::NameAttrList& branch : value->list().func())
    call->functions.push_back({"branches", {branch.name(), branch.attr()}});
  return !call->functions.empty();
}

}  // namespace

std::optional<FunctionalCall> FunctionalCallOf(const Node& node) {
  FunctionalCall call;
  bool fine = true;
  switch (node.node_class()) {
    case NodeClass::kTfIf:
      call.first_argument = 1;
      fine = AddFunction(node, "then_branch", false, &call) &&
             AddFunction(node, "else_branch", false, &call);
      break;
    case NodeClass::kCase:
      call.first_argument = 1;
      fine = AddBranches(node, &call);
      break;
    case NodeClass::kTfWhile:
      call.is_loop = true;
      fine = AddFunction(node, "cond", true, &call) && AddFunction(node, "body", false, &call);
      break;
    case NodeClass::kFunctionCall:
    case NodeClass::kPartitionedCall:
      call.functions.push_back({"f", CalleeOf(node)});
      break;
    default:
      fine = false;
  }
  if (!fine || node.num_inputs() < call.first_argument) return std::nullopt;
  return call;
}

}  // namespace linnet::converter
