// SPDX-License-Identifier: Apache-2.0
#include "converter/import/graph_constructor.h"

#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "converter/graph/algorithm.h"
#include "converter/graph/problems.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/graph/tensorflow/op_binding.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/import/const_value.h"
#include "converter/import/construction_order.h"
#include "converter/import/node_checks.h"
#include "converter/import/output_shapes.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

constexpr std::string_view kColocate = "loc:@";
// TensorFlow counts GraphDef versions by day and promises to read models that are up to three weeks
// newer than itself.
constexpr int kForwardCompatibleVersions = 21;

// `status`, with a hint at the model's version where that may explain it.
absl::Status ExplainByVersion(absl::Status status, int producer) {
  if (producer - kGraphDefVersion <= kForwardCompatibleVersions) return status;
  Problems problems;
  for (Problem& problem : ProblemsOf(status)) problems.Add(std::move(problem));
  problems.Add({.reason = fmt::format(
                    "the GraphDef was produced by GraphDef version {}, and this program knows {}: "
                    "the difference is larger than TensorFlow's forward compatibility guarantee, "
                    "and might be the root cause",
                    producer, kGraphDefVersion)});
  return problems.ToStatus();
}

class GraphConstructor {
 public:
  GraphConstructor(RawGraph raw, const ConstructorOptions& options, const Surroundings& around,
                   Graph* graph, std::vector<std::string>* notes)
      : raw_(std::move(raw)), options_(options), around_(around), graph_(*graph), notes_(*notes) {}

  absl::StatusOr<std::vector<Node*>> Run() {
    absl::Status status = Construct();
    if (status.ok()) return std::move(nodes_);
    for (Node* node : nodes_)
      if (node != nullptr) graph_.RemoveNode(node);
    return ExplainByVersion(std::move(status), raw_.versions.producer());
  }

 private:
  absl::Status Construct() {
    if (absl::Status s = graph_.functions().AddLibrary(raw_.library); !s.ok()) return s;
    // These three checks of a node do not depend on other nodes being right, so the problems of all
    // nodes are reported together.
    IndexNames();
    for (size_t i = 0; i < raw_.nodes.size(); ++i)
      if (!around_.IsSkipped(i)) CheckNode(&raw_.nodes[i]);
    FindInputs();
    if (!problems_.empty()) return problems_.ToStatus();
    if (absl::Status s = AddNodes(); !s.ok()) return s;
    for (const BackEdge& edge : back_edges_) MakeEdge(edge.input, edge.dst, edge.dst_input);
    for (const Node* node : nodes_)
      if (node != nullptr && options_.check_output_shapes)
        problems_.Add(CheckOutputShapes(*node, raw_.versions.producer()));
    if (problems_.empty()) FixupSourceAndSinkEdges(&graph_);
    return problems_.ToStatus();
  }

  struct BackEdge {
    NodeInput input;
    int dst;  // index in raw_.nodes
    int dst_input;
  };

  // Null while the node has not been added.
  Node* SourceOf(const NodeInput& input) const {
    return input.existing != nullptr ? input.existing : nodes_[input.node];
  }

  void Fail(std::string reason) { problems_.Add({.reason = std::move(reason)}); }

  void IndexNames() {
    index_.reserve(raw_.nodes.size());
    for (size_t i = 0; i < raw_.nodes.size(); ++i) {
      const tf::NodeDef& def = raw_.nodes[i].def;
      CheckNodeSyntax(def, options_, &problems_);
      if (!index_.emplace(def.name(), static_cast<int>(i)).second)
        Fail(fmt::format("Node '{}' is not unique", def.name()));
    }
  }

  // Checks the op, attributes, value and colocation groups.
  void CheckNode(RawNode* node) {
    tf::NodeDef& def = node->def;
    if (def.op().empty()) return;
    const tf::OpDef* op = graph_.functions().LookUp(def.op());
    if (op == nullptr) return problems_.Add(OpNotRegistered(def.op()), def.name());
    if (IsConst(def) && !TakeConstValue(node, constant_room_, &problems_)) return;
    AddDefaults(*op, &def);
    problems_.Add(ValidateNodeDef(def, *op));
    problems_.Add(CheckDeprecation(def, *op, raw_.versions.producer()), def.name());
    if (op->has_deprecation() && raw_.versions.producer() < op->deprecation().version() &&
        noted_deprecations_.insert(def.op()).second)
      notes_.push_back(
          fmt::format("Op {} is deprecated. It will cease to work in GraphDef version {}. {}.",
                      def.op(), op->deprecation().version(), op->deprecation().explanation()));
    if (options_.validate_colocation) CheckColocation(def);
  }

  void CheckColocation(const tf::NodeDef& def) {
    const auto it = def.attr().find("_class");
    if (it == def.attr().end()) return;
    for (std::string_view target : it->second.list().s()) {
      if (!target.starts_with(kColocate)) continue;
      target.remove_prefix(kColocate.size());
      if (!index_.contains(std::string(target)))
        Fail(fmt::format("Node '{}' expects to be colocated with unknown node '{}'", def.name(),
                         target));
    }
  }

  // Fills inputs_: data inputs by slot, then control inputs sorted by name, each once.
  void FindInputs() {
    inputs_.resize(raw_.nodes.size());
    for (size_t i = 0; i < raw_.nodes.size(); ++i) {
      if (around_.IsSkipped(i)) continue;
      std::map<std::pair<std::string, Node*>, NodeInput> controls;
      for (const std::string& text : raw_.nodes[i].def.input()) {
        const std::optional<NodeInput> input = FindInput(raw_.nodes[i].def, text);
        if (!input.has_value()) continue;
        if (input->slot != kControlSlot)
          inputs_[i].push_back(*input);
        else
          controls.emplace(std::pair(NameOf(*input), input->existing), *input);
      }
      for (const auto& [name, input] : controls) inputs_[i].push_back(input);
    }
  }

  std::optional<NodeInput> FindInput(const tf::NodeDef& def, const std::string& text) {
    const TensorId id = ParseTensorName(text);
    if (const auto mapped = around_.inputs.find(id); mapped != around_.inputs.end())
      return NodeInput{-1, mapped->second.index, mapped->second.node};
    const auto it = index_.find(id.first);
    if (it == index_.end())
      Fail(fmt::format("Node '{}': Unknown input node '{}'", def.name(), text));
    else if (around_.IsSkipped(it->second))
      Fail(
          fmt::format("Node '{}' reads '{}' of a node that is skipped because its outputs are "
                      "mapped",
                      def.name(), text));
    else
      return NodeInput{it->second, id.second, nullptr};
    return std::nullopt;
  }

  // The name in the GraphDef, or in the graph of a node that it had before.
  const std::string& NameOf(const NodeInput& input) const {
    return input.existing != nullptr ? input.existing->name() : raw_.nodes[input.node].def.name();
  }

  absl::Status AddNodes() {
    nodes_.assign(raw_.nodes.size(), nullptr);
    const std::vector<int> order = ConstructionOrder(raw_.nodes, inputs_);
    for (const int i : order)
      if (!around_.IsSkipped(i))
        if (absl::Status s = AddNode(i); !s.ok()) return s;
    return order.size() == raw_.nodes.size() ? absl::OkStatus() : CycleError(raw_.nodes, order);
  }

  absl::Status AddNode(int i) {
    RawNode& raw = raw_.nodes[i];
    for (const NodeInput& input : inputs_[i])
      if (SourceOf(input) == nullptr && !IsMerge(raw.def))
        return absl::InvalidArgumentError(
            fmt::format("Node '{}' had a back edge, but only Merge nodes can have back edges.",
                        raw.def.name()));
    absl::StatusOr<Node*> added =
        around_.ChangesNodes() ? graph_.AddNode(Placed(raw.def)) : graph_.AddNode(raw.def);
    if (!added.ok()) return added.status();
    Node* node = *added;
    nodes_[i] = node;
    if (node->IsConstant()) SetConstValue(&raw, node);
    int slot = 0;
    bool follows = false;  // a new node, which runs after the control dependencies
    for (const NodeInput& input : inputs_[i]) {
      const int dst_input = input.slot == kControlSlot ? kControlSlot : slot++;
      if (SourceOf(input) == nullptr) {
        back_edges_.push_back({input, i, dst_input});  // its NextIteration comes later
        continue;
      }
      MakeEdge(input, i, dst_input);
      follows |= input.existing == nullptr;
    }
    if (!follows)
      for (Node* before : around_.control_dependencies) graph_.AddControlEdge(before, node);
    return absl::OkStatus();
  }

  // `def` as it becomes part of the graph: with its new name, groups and device.
  tf::NodeDef Placed(const tf::NodeDef& def) const {
    tf::NodeDef placed = def;
    placed.set_name(around_.NameOf(def.name()));
    if (def.device().empty()) placed.set_device(around_.default_device);
    const auto groups = placed.mutable_attr()->find("_class");
    if (groups == placed.mutable_attr()->end()) return placed;
    for (std::string& group : *groups->second.mutable_list()->mutable_s())
      if (group.starts_with(kColocate))
        group = fmt::format("{}{}", kColocate, around_.NameOf(group.substr(kColocate.size())));
    return placed;
  }

  void MakeEdge(const NodeInput& input, int dst_index, int dst_input) {
    Node* src = SourceOf(input);
    Node* dst = nodes_[dst_index];
    if (input.slot == kControlSlot) {
      graph_.AddControlEdge(src, dst);
      return;
    }
    const auto num_outputs = static_cast<int>(src->tf_output_types().size());
    if (input.slot >= num_outputs)
      return Fail(fmt::format(
          "Node '{}': Connecting to invalid output {} of source node {} which has {} outputs.",
          raw_.nodes[dst_index].def.name(), input.slot, NameOf(input), num_outputs));
    const tf::DataType actual = src->tf_output_types()[input.slot];
    const tf::DataType expected = dst->tf_input_types()[dst_input];
    if (!TypesCompatible(expected, actual))
      return Fail(fmt::format(
          "Input {} of node {} was passed {} from {}:{} incompatible with expected {}.", dst_input,
          dst->name(), DataTypeString(actual), src->name(), input.slot, DataTypeString(expected)));
    graph_.AddEdge(src, input.slot, dst, dst_input);
  }

  RawGraph raw_;
  const ConstructorOptions& options_;
  const Surroundings& around_;
  Graph& graph_;
  std::vector<std::string>& notes_;
  int64_t own_room_ = kMostExpandedBytes;
  int64_t* const constant_room_ =
      options_.constant_room != nullptr ? options_.constant_room : &own_room_;
  Problems problems_;
  std::unordered_map<std::string, int> index_;  // name -> raw_.nodes
  std::vector<std::vector<NodeInput>> inputs_;
  std::vector<Node*> nodes_;
  std::vector<BackEdge> back_edges_;
  std::set<std::string> noted_deprecations_;
};

}  // namespace

bool Surroundings::ChangesNodes() const {
  return !prefix.empty() || !names.empty() || !default_device.empty();
}

std::string Surroundings::NameOf(const std::string& name) const {
  const auto it = names.find(name);
  return it != names.end() ? it->second : prefix + name;
}

absl::StatusOr<std::vector<Node*>> ConstructNodes(RawGraph raw, const ConstructorOptions& options,
                                                  const Surroundings& around, Graph* graph,
                                                  std::vector<std::string>* notes) {
  return GraphConstructor(std::move(raw), options, around, graph, notes).Run();
}

absl::StatusOr<std::vector<Node*>> ConstructGraph(RawGraph raw, const ConstructorOptions& options,
                                                  Graph* graph, std::vector<std::string>* notes) {
  if (absl::Status s = CheckVersions(raw.versions); !s.ok()) return s;
  const tf::VersionDef versions = raw.versions;
  absl::StatusOr<std::vector<Node*>> nodes =
      ConstructNodes(std::move(raw), options, {}, graph, notes);
  if (nodes.ok()) graph->versions() = versions;
  return nodes;
}

}  // namespace linnet::converter
