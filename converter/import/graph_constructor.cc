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

class GraphConstructor {
 public:
  GraphConstructor(RawGraph raw, const ConstructorOptions& options, const Surroundings& around,
                   Graph* graph, std::vector<std::string>* notes)
      : raw_(std::move(raw)), options_(options), around_(around), graph_(*graph), notes_(*notes) {
    budget_.bytes_left = options.max_expanded_bytes;
  }

  absl::Status Construct() {
    if (absl::Status s = graph_.functions().AddLibrary(raw_.library); !s.ok()) return s;
    // Three looks at every node, none of which needs another node to be good: all their findings go
    // to the user together.
    IndexNames();
    for (size_t i = 0; i < raw_.nodes.size(); ++i)
      if (!IsSkipped(i)) CheckNode(&raw_.nodes[i]);
    FindInputs();
    if (!problems_.empty()) return problems_.ToStatus();
    if (absl::Status s = Convert(); !s.ok()) return s;
    for (const BackEdge& edge : back_edges_) MakeEdge(edge.input, edge.dst, edge.dst_input);
    for (const Node* node : nodes_)
      if (node != nullptr && options_.check_output_shapes)
        problems_.Add(CheckOutputShapes(*node, raw_.versions.producer()));
    if (!problems_.empty()) return problems_.ToStatus();
    FixupSourceAndSinkEdges(&graph_);
    return absl::OkStatus();
  }

  void Undo() {
    for (Node* node : nodes_)
      if (node != nullptr) graph_.RemoveNode(node);
  }
  std::vector<Node*> TakeNodes() { return std::move(nodes_); }

 private:
  struct BackEdge {
    NodeInput input;
    int dst;  // index in raw_.nodes
    int dst_input;
  };

  bool IsSkipped(size_t i) const { return i < around_.skipped.size() && around_.skipped[i]; }
  // Null while it is not there yet.
  Node* SourceOf(const NodeInput& input) const {
    return input.existing != nullptr ? input.existing : nodes_[input.node];
  }

  ExpansionBudget* budget() { return options_.budget != nullptr ? options_.budget : &budget_; }

  void IndexNames() {
    index_.reserve(raw_.nodes.size());
    for (size_t i = 0; i < raw_.nodes.size(); ++i) {
      const tf::NodeDef& def = raw_.nodes[i].def;
      CheckNodeSyntax(def, options_, &problems_);
      if (!index_.emplace(def.name(), static_cast<int>(i)).second)
        problems_.Add({"", "", fmt::format("Node '{}' is not unique", def.name()), ""});
    }
  }

  // Op, attributes, value, colocation.
  void CheckNode(RawNode* node) {
    tf::NodeDef& def = node->def;
    if (def.op().empty()) return;
    const tf::OpDef* op = graph_.functions().LookUp(def.op());
    if (op == nullptr) return problems_.Add(OpNotRegistered(def.op()), def.name());
    if (IsConst(def) && !TakeConstValue(node, budget(), &problems_)) return;
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
        problems_.Add({"", "",
                       fmt::format("Node '{}' expects to be colocated with unknown node '{}'",
                                   def.name(), target),
                       ""});
    }
  }

  // Resolves input texts: data inputs by slot, then control inputs by name, each once.
  void FindInputs() {
    inputs_.resize(raw_.nodes.size());
    for (size_t i = 0; i < raw_.nodes.size(); ++i) {
      if (IsSkipped(i)) continue;
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
    if (it != index_.end() && !IsSkipped(it->second))
      return NodeInput{it->second, id.second, nullptr};
    problems_.Add({"", "",
                   it == index_.end()
                       ? fmt::format("Node '{}': Unknown input node '{}'", def.name(), text)
                       : fmt::format("Node '{}' reads '{}' of a node that is skipped because its "
                                     "outputs are mapped",
                                     def.name(), text),
                   ""});
    return std::nullopt;
  }

  // As the GraphDef has it; as the graph has it where it was there before.
  const std::string& NameOf(const NodeInput& input) const {
    return input.existing != nullptr ? input.existing->name() : raw_.nodes[input.node].def.name();
  }

  // Each node once those exist that it reads.
  absl::Status Convert() {
    nodes_.assign(raw_.nodes.size(), nullptr);
    const std::vector<int> order = ConstructionOrder(raw_.nodes, inputs_);
    for (const int i : order) {
      if (IsSkipped(i)) continue;
      if (absl::Status s = AddNode(i); !s.ok()) return s;
    }
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
    bool follows = false;  // a node that runs after all that it has to
    for (const NodeInput& input : inputs_[i]) {
      const int dst_input = input.slot == kControlSlot ? kControlSlot : slot++;
      if (SourceOf(input) == nullptr) {
        back_edges_.push_back({input, i, dst_input});  // of a loop's NextIteration
        continue;
      }
      MakeEdge(input, i, dst_input);
      follows |= input.existing == nullptr;
    }
    if (!follows)
      for (Node* before : around_.control_dependencies) graph_.AddControlEdge(before, node);
    return absl::OkStatus();
  }

  // As it is to stand in the graph.
  tf::NodeDef Placed(const tf::NodeDef& def) const {
    tf::NodeDef placed = def;
    placed.set_name(around_.NameOf(def.name()));
    if (def.device().empty()) placed.set_device(around_.default_device);
    if (const auto groups = placed.mutable_attr()->find("_class");
        groups != placed.mutable_attr()->end()) {
      for (std::string& group : *groups->second.mutable_list()->mutable_s())
        if (group.starts_with(kColocate))
          group = std::string(kColocate) + around_.NameOf(group.substr(kColocate.size()));
    }
    return placed;
  }

  void MakeEdge(const NodeInput& input, int dst_index, int dst_input) {
    Node* src = SourceOf(input);
    Node* dst = nodes_[dst_index];
    if (input.slot == kControlSlot) {
      graph_.AddControlEdge(src, dst);
      return;
    }
    const int src_output = input.slot;
    const auto fail = [&](std::string text) { problems_.Add({"", "", std::move(text), ""}); };
    const auto num_outputs = static_cast<int>(src->tf_output_types().size());
    if (src_output >= num_outputs)
      return fail(fmt::format(
          "Node '{}': Connecting to invalid output {} of source node {} which has {} outputs.",
          raw_.nodes[dst_index].def.name(), src_output, NameOf(input), num_outputs));
    const tf::DataType actual = src->tf_output_types()[src_output];
    const tf::DataType expected = dst->tf_input_types()[dst_input];
    if (!TypesCompatible(expected, actual))
      return fail(fmt::format(
          "Input {} of node {} was passed {} from {}:{} incompatible with expected {}.", dst_input,
          dst->name(), DataTypeString(actual), src->name(), src_output, DataTypeString(expected)));
    graph_.AddEdge(src, src_output, dst, dst_input);
  }

  RawGraph raw_;
  const ConstructorOptions& options_;
  const Surroundings& around_;
  Graph& graph_;
  std::vector<std::string>& notes_;
  ExpansionBudget budget_;
  Problems problems_;
  std::unordered_map<std::string, int> index_;  // name -> raw_.nodes
  std::vector<std::vector<NodeInput>> inputs_;
  std::vector<Node*> nodes_;
  std::vector<BackEdge> back_edges_;
  std::set<std::string> noted_deprecations_;
};

// TensorFlow counts GraphDef versions by day and promises to read what is up to three weeks newer.
constexpr int kForwardCompatibleVersions = 21;

// `status`, with a word about the model's age where that may explain it.
absl::Status ExplainByVersion(absl::Status status, int producer) {
  if (status.ok() || producer - kGraphDefVersion <= kForwardCompatibleVersions) return status;
  Problems problems;
  for (Problem& problem : ProblemsOf(status)) problems.Add(std::move(problem));
  problems.Add(
      {"", "",
       fmt::format("the GraphDef was produced by GraphDef version {}, and this program knows {}: "
                   "the difference is larger than TensorFlow's forward compatibility guarantee, "
                   "and might be the root cause",
                   producer, kGraphDefVersion),
       ""});
  return problems.ToStatus();
}

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
  const int producer = raw.versions.producer();
  GraphConstructor constructor(std::move(raw), options, around, graph, notes);
  if (absl::Status s = constructor.Construct(); !s.ok()) {
    constructor.Undo();
    return ExplainByVersion(std::move(s), producer);
  }
  return constructor.TakeNodes();
}

absl::Status ConstructGraph(RawGraph raw, const ConstructorOptions& options, Graph* graph,
                            std::vector<std::string>* notes) {
  if (absl::Status s = CheckVersions(raw.versions); !s.ok()) return s;
  const tf::VersionDef versions = raw.versions;
  const auto nodes = ConstructNodes(std::move(raw), options, {}, graph, notes);
  if (!nodes.ok()) return nodes.status();
  graph->versions() = versions;
  return absl::OkStatus();
}

}  // namespace linnet::converter
