// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/verifier.h"

#include <algorithm>
#include <set>

#include "converter/graph/algorithm.h"
#include "converter/graph/problems.h"
#include "converter/graph/structured_node.h"
#include "fmt/format.h"
#include "runtime/core/encoding.h"

namespace linnet::converter {
namespace {

template <typename Edges>
bool Holds(const Edges& edges, const Edge* edge) {
  return std::ranges::find(edges, edge) != edges.end();
}

void CheckEdge(const Graph& graph, const Edge& edge, Problems* problems) {
  const auto alive = [&graph](const Node* node) {
    return node != nullptr && graph.IsValidNode(node).ok();
  };
  if (!alive(edge.src) || !alive(edge.dst)) {
    problems->Add(
        {"", "", fmt::format("edge {} has an end that is not in the graph", edge.id), ""});
    return;
  }
  if (!Holds(edge.src->out_edges(), &edge) || !Holds(edge.dst->in_edges(), &edge))
    problems->Add(*edge.dst,
                  fmt::format("the edge from '{}' is not known at both ends", edge.src->name()));
  if ((edge.src_output == kControlSlot) != (edge.dst_input == kControlSlot))
    problems->Add(*edge.dst,
                  fmt::format("the edge from '{}' is half a control edge", edge.src->name()));
  if (edge.IsControlEdge()) return;
  if (edge.src_output < 0 || edge.src_output >= edge.src->num_outputs())
    problems->Add(*edge.dst, fmt::format("reads output {} of '{}', which has {}", edge.src_output,
                                         edge.src->name(), edge.src->num_outputs()));
  if (edge.dst_input < 0 || edge.dst_input >= edge.dst->num_inputs())
    problems->Add(*edge.dst, fmt::format("the edge from '{}' goes to input {}, but there are {}",
                                         edge.src->name(), edge.dst_input, edge.dst->num_inputs()));
}

void CheckSlots(const Node& node, Problems* problems) {
  std::vector<int> edges(node.num_inputs(), 0);
  for (const Edge* edge : node.in_edges())
    if (edge->dst_input >= 0 && edge->dst_input < node.num_inputs()) ++edges[edge->dst_input];
  for (int slot = 0; slot < node.num_inputs(); ++slot)
    if (edges[slot] != 1)
      problems->Add(node, fmt::format("input {} has {} edges, want 1", slot, edges[slot]));
}

void CheckConstant(const Node& node, Problems* problems) {
  const Constant& value = node.constant();
  if (node.num_outputs() != 1 || node.type() != value.type)
    return problems->Add(node, "the type of the output is not the value's");
  if (value.type.dtype == DType::kInvalid) return;
  int64_t elements = 0;
  if (!value.type.shape.NumElementsChecked(&elements))
    return problems->Add(node, "the value's shape is not static");
  if (value.encoding != schema::Encoding::Plain && value.type.dtype != DType::kFloat32)
    problems->Add(node, "only f32 values may be encoded");
  const int64_t bytes = EncodedBytes(value.type, value.encoding);
  if (static_cast<int64_t>(value.bytes.size()) != bytes)
    problems->Add(node, fmt::format("the value has {} bytes, want {}", value.bytes.size(), bytes));
}

// Compares the output types of a Linnet op with those that its shape rule infers.
void CheckTypes(const Graph& graph, const Node& node, Problems* problems) {
  for (int i = 0; i < node.num_outputs(); ++i)
    if (!node.HasType(i)) problems->Add(node, fmt::format("output {} has no type", i));
  const OpDef& def = *FindOp(node.kind());
  if (node.num_outputs() != def.num_outputs)
    return problems->Add(
        node, fmt::format("has {} outputs, want {}", node.num_outputs(), def.num_outputs));
  std::vector<InputInfo> inputs;
  std::vector<Constant> kept;
  kept.reserve(node.num_inputs());
  for (const Output input : node.inputs()) {
    if (!input || input.index >= input.node->num_outputs()) return;  // reported already
    InputInfo info{input.node->type(input.index), nullptr, input.node->IsConstant()};
    if (info.is_constant && input.node->constant().bytes.size() <= 4096) {
      kept.push_back(input.node->constant().Plain());
      info.value = kept.back().bytes.data();
    }
    inputs.push_back(info);
  }
  if (graph.Varies(node)) return;  // types that follow from symbols are checked by the runtime
  std::vector<TensorType> types;
  if (const Status s = InferOutputs(node.attrs(), inputs, &types); !s.ok())
    return problems->Add(node, s.what());
  for (int i = 0; i < node.num_outputs(); ++i)
    if (types[i] != node.type(i))
      problems->Add(node, fmt::format("the type of output {} is not what its rule says", i));
}

void CheckRegions(const Node& node, Problems* problems) {
  const std::vector<Output> inputs = node.inputs();
  if (std::ranges::find(inputs, Output()) != inputs.end()) return;  // reported already
  for (const auto& region : node.regions())
    if (absl::Status s = VerifyGraph(*region); !s.ok()) return problems->Add(s, node.name());
  const auto types = InferStructured(node.node_class(), inputs, node.regions());
  if (!types.ok()) return problems->Add(types.status(), node.name());
  if (static_cast<int>(types->size()) != node.num_outputs())
    return problems->Add(node, "its outputs are not what its regions say");
  for (int i = 0; i < node.num_outputs(); ++i)
    if ((*types)[static_cast<size_t>(i)] != node.type(i))
      problems->Add(node, fmt::format("the type of output {} is not what its regions say", i));
}

}  // namespace

absl::Status VerifyGraph(const Graph& graph) {
  Problems problems;
  for (const Edge* edge : graph.edges()) CheckEdge(graph, *edge, &problems);
  std::set<std::string_view> names;
  const std::vector<Node*> nodes = graph.op_nodes();
  for (const Node* node : nodes) {
    if (!names.insert(node->name()).second) problems.Add(*node, "the name is not unique");
    if (graph.FindNode(node->name()) == nullptr)
      problems.Add(*node, "the name is not in the index");
    CheckSlots(*node, &problems);
    if (node->IsConstant()) CheckConstant(*node, &problems);
    if (node->node_class() == NodeClass::kOp) CheckTypes(graph, *node, &problems);
    if (node->IsStructured()) CheckRegions(*node, &problems);
  }
  const std::vector<Node*> order = TopologicalOrder(graph);
  if (order.size() != nodes.size()) {
    const std::set<const Node*> ordered(order.begin(), order.end());
    const auto left =
        std::ranges::find_if(nodes, [&](Node* node) { return !ordered.contains(node); });
    problems.Add(**left,
                 fmt::format("is on, or behind, a cycle of {} nodes", nodes.size() - order.size()));
  }
  const absl::Status status = problems.ToStatus();
  return status.ok() ? status : absl::InternalError(status.message());
}

}  // namespace linnet::converter
