// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/control_flow/region_builder.h"

#include "converter/graph/algorithm.h"
#include "converter/graph/name_cost.h"
#include "converter/graph/structured_node.h"
#include "converter/legalize/context/legalize_context.h"
#include "runtime/ops/cast.h"

namespace linnet::converter {
namespace {

// Adds the node whose output stands for the list with these `rows`. The rows cannot do that
// themselves, because whatever reads them reads a tensor.
absl::StatusOr<Node*> AddListName(Graph& region, const std::string& name, Output rows) {
  tf::NodeDef def;
  def.set_name(name);
  def.set_op("Identity");
  (*def.mutable_attr())["T"].set_type(tf::DT_VARIANT);
  LINNET_ASSIGN_OR_RETURN(Node* const node, region.AddNode(def));
  region.AddEdge(rows.node, rows.index, node, 0);
  return node;
}

}  // namespace

std::vector<const Node*> NeededNodes(const FunctionBody& body) {
  std::vector<const Node*> order;
  std::vector<bool> seen(static_cast<size_t>(body.graph->num_node_ids()), false);
  std::vector<std::pair<const Node*, int>> stack;  // a node and its next input to look at
  const auto push = [&](const Node* node) {
    if (node == nullptr || seen[static_cast<size_t>(node->id())]) return;
    seen[static_cast<size_t>(node->id())] = true;
    if (node->node_class() != NodeClass::kArg) stack.emplace_back(node, 0);
  };
  for (const Node* ret : body.rets) {
    push(ret->input(0).node);
    while (!stack.empty()) {
      auto& [node, input] = stack.back();
      if (input < node->num_inputs()) {
        push(node->input(input++).node);
        continue;
      }
      order.push_back(node);
      stack.pop_back();
    }
  }
  return order;
}

absl::Status TakeNamesOf(std::span<const Node* const> nodes, std::string_view prefix,
                         int64_t* room) {
  int64_t cost = 0;
  for (const Node* node : nodes)
    cost += NameCost(std::ssize(prefix) + 1 + std::ssize(node->name()));
  return TakeNames(prefix, cost, room);
}

bool PassesThrough(const FunctionBody& body, size_t i) {
  Output value = body.rets[i]->input(0);
  while (value && value.node->node_class() == NodeClass::kIdentity) value = value.node->input(0);
  return value && value.node == body.args[i];
}

absl::StatusOr<std::unique_ptr<Graph>> BuildRegion(
    const FunctionBody& body, std::span<const ArgumentValue> arguments, std::span<Node* const> rets,
    const std::string& prefix, const OpRegistry* registry, RegionValues* values) {
  auto region = std::make_unique<Graph>(registry);
  region->versions() = body.graph->versions();
  const auto name_of = [&](const Node* node) {
    return region->UniqueName(fmt::format("{}/{}", prefix, node->name()));
  };
  std::vector<Output> copies(static_cast<size_t>(body.graph->num_node_ids()));
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto& [value, index, list, bounds] = arguments[i];
    const Node* arg = body.args[i];
    Node* copy = index < 0 ? region->AddConstant(name_of(arg), value.node->constant())
                           : region->AddArg(name_of(arg), index, value.node->type(value.index));
    copy->set_sources({copy->name()});
    copies[static_cast<size_t>(arg->id())] = {copy, 0};
    if (bounds) values->bounds.Set({copy, 0}, *bounds);
    if (!list) continue;
    LINNET_ASSIGN_OR_RETURN(Node* const named, AddListName(*region, name_of(arg), {copy, 0}));
    copies[static_cast<size_t>(arg->id())] = {named, 0};
    TensorList inner = *list;
    if (inner.rows) inner.rows = {copy, 0};
    inner.length_is_here = inner.length.is_constant();
    values->lists.Set({named, 0}, std::move(inner));
  }
  const auto translate = [&](Output value) -> Output {
    const Output copy = value ? copies[static_cast<size_t>(value.node->id())] : Output();
    return copy && value.node->node_class() != NodeClass::kArg ? Output{copy.node, value.index}
                                                               : copy;
  };
  for (const Node* node : NeededNodes(body)) {
    Node* copy = region->CopyNode(node);
    region->Rename(copy, name_of(node));
    copy->set_sources({copy->name()});
    copies[static_cast<size_t>(node->id())] = {copy, 0};
    for (int slot = 0; slot < node->num_inputs(); ++slot) {
      const Output from = translate(node->input(slot));
      if (!from) return Invalid("'{}' in its function has a cycle or lacks an input", node->name());
      region->AddEdge(from.node, from.index, copy, slot);
    }
  }
  for (size_t i = 0; i < rets.size(); ++i) {
    Node* ret =
        region->AddRetval(name_of(rets[i]), static_cast<int>(i), translate(rets[i]->input(0)));
    ret->ClearAttr("T");  // so that no Cast to half or double is added: regions compute in f32
    ret->set_sources({ret->name()});
  }
  FixupSourceAndSinkEdges(region.get());
  return region;
}

absl::StatusOr<std::optional<bool>> MakeTruth(Graph& region) {
  const Output value = RegionResults(region)[0];
  const TensorType& type = value.node->type(value.index);
  // TensorFlow takes a tensor that is not a scalar for true if it has elements.
  if (type.shape.rank() != 0) return type.shape.num_elements() > 0;
  if (value.node->IsConstant()) return value.node->constant().ScalarValue() != 0;
  if (type.dtype == DType::kBool) return std::nullopt;
  const CastAttrs truth{.dtype = DType::kBool};
  Edge* use = value.node->Uses(value.index).back();
  for (Edge* edge : value.node->Uses(value.index))
    if (edge->dst->node_class() == NodeClass::kRetval) use = edge;
  Node* const ret = use->dst;
  auto cast = region.AddOp(region.UniqueName(ret->name() + "/truth"), truth, {value});
  if (!cast.ok()) return cast.status();
  (*cast)->AddSources(*value.node);
  region.SetInput(ret, 0, {*cast, 0});
  FixupSourceAndSinkEdges(&region);
  return std::nullopt;
}

}  // namespace linnet::converter
