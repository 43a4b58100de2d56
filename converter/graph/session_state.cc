// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/session_state.h"

#include "fmt/format.h"

namespace linnet::converter {
namespace {

constexpr char kAttr[] = "_linnet_state", kZerosAttr[] = "_linnet_zeros";

void Mark(Node* node, const std::string& name) {
  node->set_sources({name});
  tf::AttrValue attr;
  attr.set_s(name);
  node->SetAttr(kAttr, std::move(attr));
}

}  // namespace

Node* AddState(Graph* graph, const std::string& name, const TensorType& type, StateStart start) {
  Node* node = graph->AddArg(graph->UniqueName(fmt::format("{}/state", name)), -1, type);
  Mark(node, name);
  if (start == StateStart::kZeros) {
    tf::AttrValue zeros;
    zeros.set_b(true);
    node->SetAttr(kZerosAttr, std::move(zeros));
  }
  return node;
}

Node* AddNextState(Graph* graph, const std::string& name, Output value) {
  Node* node = graph->AddRetval(graph->UniqueName(fmt::format("{}/next", name)), -1, value);
  Mark(node, name);
  return node;
}

std::string StateName(const Node& node) {
  if (node.node_class() != NodeClass::kArg && node.node_class() != NodeClass::kRetval) return "";
  const tf::AttrValue* attr = node.FindAttr(kAttr);
  return attr == nullptr ? "" : attr->s();
}

StateStart StartOf(const Node& state) {
  return state.FindAttr(kZerosAttr) == nullptr ? StateStart::kVariable : StateStart::kZeros;
}

}  // namespace linnet::converter
