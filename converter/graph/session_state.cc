// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/session_state.h"

#include "fmt/format.h"

namespace linnet::converter {
namespace {

constexpr char kAttr[] = "_linnet_state";

void Mark(Node* node, const std::string& name) {
  tf::AttrValue attr;
  attr.set_s(name);
  node->SetAttr(kAttr, std::move(attr));
}

}  // namespace

Node* AddState(Graph* graph, const std::string& name, const TensorType& type) {
  Node* node = graph->AddArg(graph->UniqueName(fmt::format("{}/state", name)), -1, type);
  node->set_sources({name});
  Mark(node, name);
  return node;
}

Node* AddNextState(Graph* graph, const std::string& name, Output value) {
  Node* node = graph->AddRetval(graph->UniqueName(fmt::format("{}/next", name)), -1, value);
  node->set_sources({name});
  Mark(node, name);
  return node;
}

std::string StateName(const Node& node) {
  if (node.node_class() != NodeClass::kArg && node.node_class() != NodeClass::kRetval) return "";
  const tf::AttrValue* attr = node.FindAttr(kAttr);
  return attr == nullptr ? "" : attr->s();
}

}  // namespace linnet::converter
