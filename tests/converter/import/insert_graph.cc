// SPDX-License-Identifier: Apache-2.0
#include "tests/converter/import/insert_graph.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "converter/graph/problems.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/graph/tensorflow/op_binding.h"
#include "converter/import/node_checks.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

std::string ToString(const TensorId& id) {
  return id.second == kControlSlot ? "^" + id.first : fmt::format("{}:{}", id.first, id.second);
}

// Names, and the scopes that they lie in: "a" and "a/b" of "a/b/c".
class TakenNames {
 public:
  // False when the name is there already. The caller keeps its bytes alive.
  bool Add(std::string_view name) { return names_.insert(name).second; }
  bool Contains(const std::string& name) const {
    if (names_.contains(name)) return true;
    const std::string scope = name + "/";
    const auto inside = names_.lower_bound(scope);
    return inside != names_.end() && inside->starts_with(scope);
  }

 private:
  std::set<std::string_view> names_;
};

// nullopt where the node is invalid; its construction reports why.
std::optional<int> NumOutputs(tf::NodeDef def, const FunctionLibrary& functions) {
  const tf::OpDef* op = functions.LookUp(def.op());
  if (op == nullptr) return std::nullopt;
  AddDefaults(*op, &def);
  std::vector<tf::DataType> inputs, outputs;
  if (!InOutTypes(def, *op, &inputs, &outputs).ok()) return std::nullopt;
  return static_cast<int>(outputs.size());
}

// Resolves the options for a RawGraph and a graph.
class Insertion {
 public:
  Insertion(const RawGraph& raw, const InsertOptions& options, const Graph& graph)
      : raw_(raw), options_(options), graph_(graph) {
    around_.default_device = options.default_device;
    for (Node* node : {graph.source(), graph.sink()}) AddExisting(node);
    for (Node* node : graph.op_nodes()) AddExisting(node);
    for (size_t i = 0; i < raw.nodes.size(); ++i) {
      new_names_.Add(raw.nodes[i].def.name());
      index_.emplace(raw.nodes[i].def.name(), static_cast<int>(i));
    }
  }

  // The options for which the op definitions of the nodes are not needed.
  absl::Status FindNames() {
    FindPrefix();
    for (const RawNode& node : raw_.nodes) FindName(node.def.name());
    for (const auto& [key, value] : options_.input_map) FindMapped(key, value);
    for (const std::string& name : options_.control_dependencies)
      if (Node* node = FindExisting(name, "control_dependencies"); node != nullptr)
        around_.control_dependencies.push_back(node);
    return problems_.ToStatus();
  }

  // The other options. REQUIRES: the graph knows the functions of the RawGraph.
  absl::Status FindOutputs() {
    if (options_.skip_mapped_nodes)
      for (const RawNode& node : raw_.nodes) around_.skipped.push_back(IsMapped(node.def));
    for (const TensorId& id : options_.return_tensors) CheckReturned(id);
    for (const std::string& name : options_.return_nodes)
      if (!index_.contains(name))
        Fail(fmt::format("Requested return node '{}' not found in graph def", name));
    FindUnused();
    return problems_.ToStatus();
  }

  const Surroundings& around() const { return around_; }

  Inserted Results(const std::vector<Node*>& nodes) {
    Inserted inserted;
    for (const TensorId& id : options_.return_tensors) {
      const auto mapped = around_.inputs.find(id);
      inserted.tensors.push_back(mapped != around_.inputs.end()
                                     ? mapped->second
                                     : Output{nodes[index_.at(id.first)], id.second});
    }
    for (const std::string& name : options_.return_nodes)
      inserted.nodes.push_back(nodes[index_.at(name)]);
    inserted.unused_inputs = std::move(unused_);
    return inserted;
  }

 private:
  void Fail(std::string reason) { problems_.Add({.reason = std::move(reason)}); }

  void AddExisting(const Node* node) {
    if (!taken_.Add(node->name())) doubled_.insert(node->name());
  }

  // Null, with a problem, where the graph has no node or several nodes of the name. `entry` is
  // added to the message.
  Node* FindExisting(const std::string& name, std::string_view option,
                     std::string_view entry = "") {
    if (doubled_.contains(name)) {
      Fail(fmt::format("cannot resolve {} because multiple nodes exist with name '{}'", option,
                       name));
      return nullptr;
    }
    Node* node = graph_.FindNode(name);
    if (node == nullptr)
      Fail(fmt::format("node '{}' in {} does not exist in graph{}", name, option, entry));
    return node;
  }

  // `name` with the smallest suffix that makes it free below `prefix`, in the graph and among the
  // new names.
  std::string Unique(const std::string& prefix, const std::string& name) const {
    for (int count = 1;; ++count) {
      std::string unique = fmt::format("{}_{}", name, count);
      if (!taken_.Contains(prefix + unique) && !new_names_.Contains(unique)) return unique;
    }
  }

  void FindPrefix() {
    if (options_.prefix.empty()) return;
    std::string scope = options_.prefix;
    if (scope.ends_with('/')) scope.pop_back();
    if (!IsValidNodeName(scope, false))
      return Fail(
          fmt::format("Imported node name prefix '{}/' would lead to invalid node names", scope));
    if (options_.uniquify_prefix && taken_.Contains(scope)) scope = Unique("", scope);
    around_.prefix = scope + "/";
  }

  void FindName(const std::string& name) {
    const std::string& prefix = around_.prefix;
    const std::string there = prefix + name;
    if (options_.uniquify_names) {
      if (taken_.Contains(there)) around_.names[name] = prefix + Unique(prefix, name);
    } else if (prefix.empty() ? taken_.Contains(there) : graph_.FindNode(there) != nullptr) {
      Fail(fmt::format("Node name '{}' already exists in the Graph", there));
    }
  }

  void FindMapped(const TensorId& key, const TensorId& value) {
    const std::string entry = fmt::format("{}->{}", ToString(key), ToString(value));
    Node* node =
        FindExisting(value.first, "input_map", fmt::format(" (input_map entry: {})", entry));
    if (node == nullptr) return;
    if ((key.second == kControlSlot) != (value.second == kControlSlot))
      return Fail(
          fmt::format("input_map entry {} between control edge and non-control edge", entry));
    around_.inputs.emplace(key, Output{node, value.second});
  }

  bool IsMapped(const tf::NodeDef& def) const {
    if (!options_.input_map.contains({def.name(), 0})) return false;
    const int outputs = NumOutputs(def, graph_.functions()).value_or(0);
    for (int i = 0; i < outputs; ++i)
      if (!options_.input_map.contains({def.name(), i})) return false;
    return outputs > 0;
  }

  void CheckReturned(const TensorId& id) {
    if (around_.inputs.contains(id)) return;
    const auto it = index_.find(id.first);
    if (it == index_.end())
      return Fail(fmt::format("Requested return tensor '{}' not found in graph def", ToString(id)));
    if (around_.IsSkipped(it->second))
      return Fail(
          fmt::format("Requested return tensor '{}' is of a node that is skipped because "
                      "its outputs are mapped",
                      ToString(id)));
    const std::optional<int> outputs = NumOutputs(raw_.nodes[it->second].def, graph_.functions());
    if (outputs.has_value() && id.second != kControlSlot &&
        (id.second < 0 || id.second >= *outputs))
      Fail(fmt::format("Invalid return output {} of node '{}', which has {} output(s)", id.second,
                       id.first, *outputs));
  }

  void FindUnused() {
    if (options_.input_map.empty()) return;
    std::set<TensorId> read;
    for (size_t i = 0; i < raw_.nodes.size(); ++i)
      if (!around_.IsSkipped(i))
        for (const std::string& text : raw_.nodes[i].def.input())
          read.insert(ParseTensorName(text));
    for (const auto& [key, value] : options_.input_map) {
      if (read.contains(key)) continue;
      const auto it = index_.find(key.first);
      if (it == index_.end() ||
          key.second >= NumOutputs(raw_.nodes[it->second].def, graph_.functions()).value_or(0))
        unused_.push_back(key);
    }
  }

  const RawGraph& raw_;
  const InsertOptions& options_;
  const Graph& graph_;
  Surroundings around_;
  Problems problems_;
  TakenNames taken_;                            // by the graph
  TakenNames new_names_;                        // of the RawGraph
  std::set<std::string> doubled_;               // names that several nodes of the graph have
  std::unordered_map<std::string, int> index_;  // in the RawGraph
  std::vector<TensorId> unused_;
};

void MergeVersions(const tf::VersionDef& added, tf::VersionDef* versions) {
  versions->set_producer(std::min(versions->producer(), added.producer()));
  versions->set_min_consumer(std::max(versions->min_consumer(), added.min_consumer()));
  std::set<int> bad(versions->bad_consumers().begin(), versions->bad_consumers().end());
  bad.insert(added.bad_consumers().begin(), added.bad_consumers().end());
  versions->mutable_bad_consumers()->Assign(bad.begin(), bad.end());
}

}  // namespace

absl::StatusOr<Inserted> InsertGraph(RawGraph raw, const InsertOptions& options, Graph* graph,
                                     std::vector<std::string>* notes) {
  if (options.skip_mapped_nodes && !options.return_nodes.empty())
    return absl::InvalidArgumentError(
        "Requesting return_nodes with skip_mapped_nodes set is not currently supported");
  if (absl::Status s = CheckVersions(raw.versions); !s.ok()) return s;
  const tf::VersionDef versions = raw.versions;
  Insertion insertion(raw, options, *graph);
  if (absl::Status s = insertion.FindNames(); !s.ok()) return s;
  // Functions first: they say how many outputs the nodes have that call them.
  if (absl::Status s = graph->functions().AddLibrary(raw.library); !s.ok()) return s;
  raw.library.Clear();
  if (absl::Status s = insertion.FindOutputs(); !s.ok()) return s;
  const ConstructorOptions constructor = {.allow_internal_ops = false,
                                          .validate_colocation = options.validate_colocation};
  const absl::StatusOr<std::vector<Node*>> nodes =
      ConstructNodes(std::move(raw), constructor, insertion.around(), graph, notes);
  if (!nodes.ok()) return nodes.status();
  MergeVersions(versions, &graph->versions());
  return insertion.Results(*nodes);
}

}  // namespace linnet::converter
