// SPDX-License-Identifier: Apache-2.0
#include "converter/import/graph_constructor.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "converter/graph/algorithm.h"
#include "converter/graph/dtypes.h"
#include "converter/graph/function_library.h"
#include "converter/graph/op_binding.h"
#include "converter/graph/op_registry.h"
#include "converter/graph/problems.h"
#include "converter/import/node_checks.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

bool IsMerge(const tf::NodeDef& def) { return def.op() == "Merge" || def.op() == "RefMerge"; }
bool IsNextIteration(const tf::NodeDef& def) {
  return def.op() == "NextIteration" || def.op() == "RefNextIteration";
}
bool IsConst(const tf::NodeDef& def) { return def.op() == "Const" || def.op() == "HostConst"; }

class GraphConstructor {
 public:
  GraphConstructor(RawGraph raw, const ConstructorOptions& options, Graph* graph,
                   std::vector<std::string>* notes)
      : raw_(std::move(raw)), options_(options), graph_(*graph), notes_(*notes) {
    budget_.bytes_left = options.max_expanded_bytes;
  }

  absl::Status Construct() {
    if (absl::Status s = graph_.functions().AddLibrary(raw_.library); !s.ok()) return s;
    // Three looks at every node, none of which needs another node to be good: all their findings go
    // to the user together.
    IndexNames();
    for (RawNode& node : raw_.nodes) CheckNode(&node);
    FindInputs();
    if (!problems_.empty()) return problems_.ToStatus();
    if (absl::Status s = Convert(); !s.ok()) return s;
    for (const BackEdge& edge : back_edges_)
      MakeEdge(edge.src, edge.src_output, edge.dst, edge.dst_input);
    if (!problems_.empty()) return problems_.ToStatus();
    graph_.versions() = raw_.versions;
    FixupSourceAndSinkEdges(&graph_);
    return absl::OkStatus();
  }

 private:
  struct Input {
    int node = 0;  // index in raw_.nodes
    int slot = 0;
  };
  struct BackEdge {
    Node* src;
    int src_output;
    Node* dst;
    int dst_input;
  };

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
    if (IsConst(def) && !TakeValue(node)) return;
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

  // The value of a Const as a Constant. False when it has none and the problem is noted.
  bool TakeValue(RawNode* node) {
    tf::NodeDef& def = node->def;
    const auto attr = def.mutable_attr()->find("value");
    if (node->constant.has_value()) return CheckConstantType(*node);
    if (!node->value.has_value()) {
      if (attr == def.mutable_attr()->end() ||
          attr->second.value_case() != tf::AttrValue::kTensor) {
        problems_.Add(
            {def.name(), def.op(), "has no value", "", absl::StatusCode::kFailedPrecondition});
        return false;
      }
      if (ToDType(attr->second.tensor().dtype()) == DType::kInvalid)  // stays an attribute
        return CheckValueType(def, attr->second.tensor().dtype());
      node->value.emplace().proto.Swap(attr->second.mutable_tensor());
      attr->second.mutable_tensor()->set_dtype(node->value->proto.dtype());
    } else if (ToDType(node->value->proto.dtype()) == DType::kInvalid &&
               !node->value->content.has_value()) {
      attr->second.mutable_tensor()->Swap(&node->value->proto);
      return CheckValueType(def, attr->second.tensor().dtype());
    }
    ExpansionBudget* budget = options_.budget != nullptr ? options_.budget : &budget_;
    const bool type_fits = CheckValueType(def, node->value->proto.dtype());
    absl::StatusOr<Constant> value = ConstantFromTensor(*std::move(node->value), budget);
    node->value.reset();
    if (!value.ok()) {
      problems_.Add(value.status(), def.name(), def.op());
      return false;
    }
    node->constant = *std::move(value);
    return type_fits;
  }

  // Of a value that a reader made, which knows our types alone.
  bool CheckConstantType(const RawNode& node) {
    const DType dtype = node.constant->type.dtype;
    const auto attr = node.def.attr().find("dtype");
    return dtype == DType::kInvalid || attr == node.def.attr().end() ||
           ToDType(attr->second.type()) == dtype || CheckValueType(node.def, ToDataType(dtype));
  }

  bool CheckValueType(const tf::NodeDef& def, tf::DataType type) {
    const auto attr = def.attr().find("dtype");
    if (attr == def.attr().end() || attr->second.type() == type) return true;
    problems_.Add(
        {def.name(), def.op(),
         fmt::format("attr 'dtype' is {}, but the value is {}", DataTypeString(attr->second.type()),
                     type == tf::DT_INVALID ? "of no type" : DataTypeString(type)),
         ""});
    return false;
  }

  void CheckColocation(const tf::NodeDef& def) {
    const auto it = def.attr().find("_class");
    if (it == def.attr().end()) return;
    for (std::string_view target : it->second.list().s()) {
      if (!target.starts_with("loc:@")) continue;
      target.remove_prefix(5);
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
      const tf::NodeDef& def = raw_.nodes[i].def;
      std::set<std::string> controls;
      for (const std::string& text : def.input()) {
        const TensorId id = ParseTensorName(text);
        const auto it = index_.find(id.first);
        if (it == index_.end())
          problems_.Add(
              {"", "", fmt::format("Node '{}': Unknown input node '{}'", def.name(), text), ""});
        else if (id.second == kControlSlot)
          controls.insert(id.first);
        else
          inputs_[i].push_back({it->second, id.second});
      }
      for (const std::string& name : controls)
        inputs_[i].push_back({index_.at(name), kControlSlot});
    }
  }

  // Inputs that must exist before node i. Of a loop's Merge: its controls and any one data input.
  int PendingCount(int i) const {
    const std::vector<Input>& inputs = inputs_[i];
    if (IsMerge(raw_.nodes[i].def)) {
      bool has_back_edge = false;
      int controls = 0;
      for (const Input& input : inputs) {
        controls += input.slot == kControlSlot;
        has_back_edge |= input.slot != kControlSlot && IsNextIteration(raw_.nodes[input.node].def);
      }
      if (has_back_edge) return controls + 1;
    }
    return static_cast<int>(inputs.size());
  }

  // Adds nodes whose inputs exist, the earliest in the file first, so that ids follow the file
  // where they can.
  absl::Status Convert() {
    const int count = static_cast<int>(raw_.nodes.size());
    std::vector<int> pending(count);
    std::vector<std::vector<int>> users(count);
    std::set<int> ready;
    for (int i = 0; i < count; ++i) {
      pending[i] = PendingCount(i);
      for (const Input& input : inputs_[i]) users[input.node].push_back(i);
      if (pending[i] == 0) ready.insert(i);
    }
    nodes_.assign(count, nullptr);
    int processed = 0;
    for (; !ready.empty(); ++processed) {
      const int i = *ready.begin();
      ready.erase(ready.begin());
      if (absl::Status s = AddNode(i); !s.ok()) return s;
      const bool is_next_iteration = IsNextIteration(raw_.nodes[i].def);
      for (const int user : users[i]) {
        if (is_next_iteration && IsMerge(raw_.nodes[user].def)) continue;
        if (--pending[user] == 0) ready.insert(user);
      }
    }
    return processed == count ? absl::OkStatus() : Cycle(processed, pending);
  }

  absl::Status Cycle(int processed, const std::vector<int>& pending) const {
    constexpr int kShown = 5;
    std::string names;
    int shown = 0;
    for (size_t i = 0; i < pending.size() && shown < kShown; ++i)
      if (nodes_[i] == nullptr)
        names += fmt::format("{}'{}'", shown++ == 0 ? "" : ", ", raw_.nodes[i].def.name());
    const int left = static_cast<int>(pending.size()) - processed;
    return absl::InvalidArgumentError(
        fmt::format("{} nodes in a cycle: {}{}", left, names, left > kShown ? ", ..." : ""));
  }

  absl::Status AddNode(int i) {
    RawNode& raw = raw_.nodes[i];
    for (const Input& input : inputs_[i])
      if (nodes_[input.node] == nullptr && !IsMerge(raw.def))
        return absl::InvalidArgumentError(
            fmt::format("Node '{}' had a back edge, but only Merge nodes can have back edges.",
                        raw.def.name()));
    absl::StatusOr<Node*> added = graph_.AddNode(raw.def);
    if (!added.ok()) return added.status();
    Node* node = *added;
    nodes_[i] = node;
    if (node->IsConstant()) SetValue(&raw, node);
    int slot = 0;
    for (const Input& input : inputs_[i]) {
      const int dst_input = input.slot == kControlSlot ? kControlSlot : slot++;
      // Nodes come and go through raw_.nodes only once: a missing source is a loop's NextIteration.
      if (nodes_[input.node] == nullptr)
        late_edges_[input.node].push_back({nullptr, input.slot, node, dst_input});
      else
        MakeEdge(nodes_[input.node], input.slot, node, dst_input);
    }
    if (const auto late = late_edges_.find(i); late != late_edges_.end()) {
      for (BackEdge edge : late->second) {
        edge.src = node;
        back_edges_.push_back(edge);
      }
    }
    return absl::OkStatus();
  }

  void SetValue(RawNode* raw, Node* node) {
    if (raw->constant.has_value()) {
      node->set_constant(*std::move(raw->constant));
    } else {
      // An element type that Linnet lacks: the message stays, for whoever can read it.
      node->SetAttr("value", raw->def.attr().at("value"));
    }
  }

  void MakeEdge(Node* src, int src_output, Node* dst, int dst_input) {
    if (src_output == kControlSlot) {
      graph_.AddControlEdge(src, dst);
      return;
    }
    const auto fail = [&](std::string text) { problems_.Add({"", "", std::move(text), ""}); };
    if (src_output >= src->num_outputs())
      return fail(fmt::format(
          "Node '{}': Connecting to invalid output {} of source node {} which has {} outputs.",
          dst->name(), src_output, src->name(), src->num_outputs()));
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
  Graph& graph_;
  std::vector<std::string>& notes_;
  ExpansionBudget budget_;
  Problems problems_;
  std::unordered_map<std::string, int> index_;  // name -> raw_.nodes
  std::vector<std::vector<Input>> inputs_;
  std::vector<Node*> nodes_;
  std::unordered_map<int, std::vector<BackEdge>> late_edges_;  // by source
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

absl::Status ConstructGraph(RawGraph raw, const ConstructorOptions& options, Graph* graph,
                            std::vector<std::string>* notes) {
  if (absl::Status s = CheckVersions(raw.versions); !s.ok()) return s;
  const int producer = raw.versions.producer();
  return ExplainByVersion(GraphConstructor(std::move(raw), options, graph, notes).Construct(),
                          producer);
}

}  // namespace linnet::converter
