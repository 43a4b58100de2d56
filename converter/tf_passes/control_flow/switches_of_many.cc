// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/control_flow/switches_of_many.h"

#include <array>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "converter/graph/algorithm.h"
#include "converter/graph/name_cost.h"
#include "converter/tf_passes/control_flow/control_flow_frames.h"
#include "converter/tf_passes/control_flow/control_flow_region.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

class Splitting {
 public:
  Splitting(Graph& graph, int64_t* room) : graph_(graph), room_(room) {}

  absl::StatusOr<int> Run() {
    int changes = 0;
    for (Node* node : graph_.op_nodes()) {
      if (node->op_name() != "_SwitchN" || node->num_outputs() < 2 || !HasAllInputs(*node))
        continue;
      if (absl::Status s = SplitSwitch(node); !s.ok()) return s;
      ++changes;
    }
    if (changes == 0) return 0;
    for (Node* node : graph_.op_nodes()) {
      if (node->node_class() != NodeClass::kMerge || node->num_inputs() < 3 ||
          node->num_inputs() > kMaxControlFlowDepth || node->NumUses(1) > 0 || !HasAllInputs(*node))
        continue;
      if (absl::Status s = SplitMerge(node); !s.ok()) return s;
      ++changes;
    }
    return changes;
  }

 private:
  static bool HasAllInputs(const Node& node) {
    if (node.num_inputs() == 0) return false;
    for (int i = 0; i < node.num_inputs(); ++i)
      if (!node.input(i)) return false;
    return true;
  }

  // A node that is made begins with the name of what it is made from.
  absl::Status TakeName(const Node& from) {
    return TakeNames(from.name(), NameCost(std::ssize(from.name())), room_);
  }

  absl::StatusOr<Output> Add(const Node& from, const char* op, tf::DataType type,
                             std::span<const Output> inputs) {
    if (absl::Status s = TakeName(from); !s.ok()) return s;
    tf::NodeDef def;
    def.set_name(graph_.UniqueName(fmt::format("{}/{}", from.name(), op)));
    def.set_op(op);
    (*def.mutable_attr())["T"].set_type(type);
    if (from.node_class() == NodeClass::kMerge)
      (*def.mutable_attr())["N"].set_i(static_cast<int64_t>(inputs.size()));
    const absl::StatusOr<Node*> node = AddNode(graph_, def, inputs);
    if (!node.ok()) return node.status();
    (*node)->set_sources(from.sources());
    return Output{*node, 0};
  }

  // index == way. The same one for all switches of an index, so that they are seen to belong
  // together.
  absl::StatusOr<Output> Predicate(const Node& from, Output index, int way) {
    const auto key = std::tuple(index.node->id(), index.index, way);
    if (const auto known = predicates_.find(key); known != predicates_.end()) return known->second;
    if (absl::Status s = TakeName(from); !s.ok()) return s;
    Node* number = graph_.AddConstant(graph_.UniqueName(fmt::format("{}/way_{}", from.name(), way)),
                                      Constant::Of<int32_t>(Shape{}, {way}));
    absl::StatusOr<Output> equal =
        Add(from, "Equal", tf::DT_INT32, std::array{index, Output{number, 0}});
    if (equal.ok()) predicates_.emplace(key, *equal);
    return equal;
  }

  absl::Status SplitSwitch(Node* node) {
    const Output index = SkipIdentities(node->input(1));
    const int ways = node->num_outputs();
    if (ways > kMaxControlFlowDepth) return absl::OkStatus();  // reported later
    Output value = node->input(0);
    Node* first = nullptr;
    for (int way = 0; way + 1 < ways; ++way) {
      const absl::StatusOr<Output> predicate = Predicate(*node, index, way);
      if (!predicate.ok()) return predicate.status();
      const absl::StatusOr<Output> made =
          Add(*node, "Switch", node->tf_output_types()[0], std::array{value, *predicate});
      if (!made.ok()) return made.status();
      if (first == nullptr) first = made->node;
      graph_.ReplaceUses({node, way}, {made->node, 1});
      value = {made->node, 0};
    }
    graph_.ReplaceUses({node, ways - 1}, value);
    Take(node, first, first);
    return absl::OkStatus();
  }

  absl::Status SplitMerge(Node* node) {
    Output merged = node->input(node->num_inputs() - 1);
    for (int i = node->num_inputs() - 2; i >= 0; --i) {
      const absl::StatusOr<Output> made =
          Add(*node, "Merge", node->tf_output_types()[0], std::array{node->input(i), merged});
      if (!made.ok()) return made.status();
      merged = *made;
    }
    graph_.ReplaceUses({node, 0}, merged);
    const std::string name = node->name();
    Take(node, merged.node, merged.node);
    graph_.Rename(merged.node, name);
    return absl::OkStatus();
  }

  // What `node` waited for, `first` waits for; what waited for `node` waits for `last`.
  void Take(Node* node, Node* first, Node* last) {
    for (Node* awaited : WaitsOf(*node)) graph_.AddControlEdge(awaited, first);
    MoveControlEdges(graph_, node, last);
    graph_.RemoveNode(node);
  }

  Graph& graph_;
  int64_t* const room_;
  std::map<std::tuple<int, int, int>, Output> predicates_;
};

}  // namespace

absl::StatusOr<int> SplitSwitches(Graph& graph, int64_t* room) {
  return Splitting(graph, room).Run();
}

}  // namespace linnet::converter
