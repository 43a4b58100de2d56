// SPDX-License-Identifier: Apache-2.0
// A VariableV2 or Variable whose reference goes into anything but reads => VarHandleOp
//
//   Assign(r, x) => AssignVariableOp(h, x)         AssignAdd, AssignSub likewise
//   RefSwitch(r, p) => Switch(h, p)                RefMerge, RefEnter, RefExit, RefNextIteration,
//                                                  RefIdentity likewise
//   IsVariableInitialized(r) => VarIsInitializedOp(h)
//   whatever reads r => reads one ReadVariableOp(h), which waits for all that its reader waits for,
//   since TensorFlow looks at the variable when the reader runs; what reads the result of Assign
//   reads the variable after it
//
// A problem for each op that changes a variable in another way. Variables that are only read are
// left to freeze_variables.
#include "converter/pass/passes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "converter/functions/variable_ops.h"
#include "converter/graph/algorithm.h"
#include "converter/graph/graph_def.h"
#include "converter/graph/problems.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/tf_passes/variables/variable_reads.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

constexpr std::string_view kQuestion = "IsVariableInitialized";

// The op that passes a handle on as `node` does a reference (outputs that are references are one of
// the inputs); empty for other nodes.
std::string_view PassingByHandle(const Node& node) {
  if (!node.IsAnyOf(
          {"RefSwitch", "RefMerge", "RefEnter", "RefExit", "RefNextIteration", "RefIdentity"}))
    return {};
  return std::string_view(node.op_name()).substr(std::string_view("Ref").size());
}

bool TakesReference(const Edge& edge) {
  const auto types = edge.dst->tf_input_types();
  return static_cast<size_t>(edge.dst_input) < types.size() && IsRefType(types[edge.dst_input]);
}

bool ReturnsReference(const Node& node, int output) {
  return IsRefType(node.tf_output_types()[output]);
}

// A variable and all that passes its reference on, producers first as far as loops allow.
class References {
 public:
  References(Graph& graph, Problems* problems) : graph_(graph), problems_(*problems) {}

  // Does anything do more with it than read it?
  bool IsNeeded(Node* variable) {
    Find(variable);
    return std::ranges::any_of(uses_, [](const Edge* edge) {
      return TakesReference(*edge) && edge->dst->op_name() != kQuestion;
    });
  }

  absl::Status Resolve(Node* variable) {
    Find(variable);
    if (!Check()) return absl::OkStatus();
    AddReads();
    for (Node* node : passing_)
      if (absl::Status s = Replace(node); !s.ok()) return s;
    changes_ += static_cast<int>(passing_.size() + uses_.size());
    return absl::OkStatus();
  }
  int changes() const { return changes_; }

 private:
  void Find(Node* variable) {
    passing_ = {variable};
    is_passing_ = {variable};
    uses_.clear();
    for (size_t i = 0; i < passing_.size(); ++i) {
      for (Edge* edge : passing_[i]->out_edges()) {
        if (edge->IsControlEdge() || !ReturnsReference(*passing_[i], edge->src_output)) continue;
        uses_.push_back(edge);
        Node* user = edge->dst;
        if (TakesReference(*edge) &&
            (!PassingByHandle(*user).empty() || !AssignmentByHandle(user->op_name()).empty() ||
             user->op_name() == kQuestion) &&
            is_passing_.insert(user).second)
          passing_.push_back(user);
      }
    }
  }

  bool Check() {
    const size_t before = problems_.all().size();
    for (const Edge* edge : uses_)
      if (TakesReference(*edge) && !is_passing_.contains(edge->dst))
        problems_.Add(*edge->dst,
                      fmt::format("changes the variable '{}' in a way that is not supported",
                                  passing_[0]->name()),
                      "export the model for inference only");
    for (const Node* node : passing_) {
      if (PassingByHandle(*node).empty()) continue;
      for (int slot = 0; slot < node->num_inputs(); ++slot)
        if (IsRefType(node->tf_input_types()[slot]) &&
            !is_passing_.contains(node->input(slot).node))
          problems_.Add(*node,
                        fmt::format("may pass on '{}' or another variable", passing_[0]->name()));
    }
    return problems_.all().size() == before;
  }

  // A read for each node that wants the value, right before it. A Merge has one for each edge: it
  // runs with the first that comes.
  void AddReads() {
    std::map<const Node*, Node*> reads;  // of this variable; only looked up
    for (const Edge* edge : uses_) {
      if (TakesReference(*edge)) continue;
      Node* user = edge->dst;
      Node*& read = reads[user];
      if (read == nullptr || user->node_class() == NodeClass::kMerge)
        read = AddRead(*user, {edge->src, edge->src_output});
      const int slot = edge->dst_input;
      graph_.RemoveEdge(edge);
      graph_.AddEdge(read, 0, user, slot);
    }
  }

  Node* AddRead(const Node& user, Output reference) {
    tf::NodeDef def;
    def.set_name(graph_.UniqueName(fmt::format("{}/read", user.name())));
    def.set_op("ReadVariableOp");
    const tf::DataType type = reference.node->tf_output_types()[reference.index];
    (*def.mutable_attr())["dtype"].set_type(BaseType(type));
    Node* read = *graph_.AddNode(def);  // which every registry has
    graph_.AddEdge(reference.node, reference.index, read, 0);
    // What another variable's read waited for is behind that read.
    for (const Edge* other : user.in_edges())
      if (other->src != reference.node && other->src->IsOp() && IsAwaited(*other))
        graph_.AddControlEdge(other->src, read);
    return read;
  }

  // A Merge runs with the first input that comes.
  static bool IsAwaited(const Edge& edge) {
    return edge.IsControlEdge() || edge.dst->node_class() != NodeClass::kMerge;
  }

  absl::Status Replace(Node* node) {
    const bool assigns = !AssignmentByHandle(node->op_name()).empty();
    tf::NodeDef def = ToNodeDef(*node);
    def.clear_input();
    def.set_name(graph_.UniqueName(node->name() + "/handle"));
    Describe(*node, &def);
    const absl::StatusOr<Node*> made = graph_.AddNode(def);
    if (!made.ok()) return made.status();
    const std::vector<Edge*> in(node->in_edges().begin(), node->in_edges().end());
    for (const Edge* edge : in) {
      if (edge->IsControlEdge())
        graph_.AddControlEdge(edge->src, *made);
      else
        graph_.AddEdge(edge->src, edge->src_output, *made, edge->dst_input);
    }
    const std::vector<Edge*> out(node->out_edges().begin(), node->out_edges().end());
    for (const Edge* edge : out) {
      Node* user = edge->dst;
      if (user->IsSink()) continue;
      if (edge->IsControlEdge()) {
        graph_.AddControlEdge(*made, user);
        continue;
      }
      // What Assign returns is the variable, behind it.
      const Output value = assigns ? (*made)->input(0) : Output{*made, edge->src_output};
      const int slot = edge->dst_input;
      graph_.RemoveEdge(edge);
      graph_.AddEdge(value.node, value.index, user, slot);
      if (assigns) graph_.AddControlEdge(*made, user);
    }
    RemoveReplaced(graph_, node, *made);
    return absl::OkStatus();
  }

  static void Describe(const Node& node, tf::NodeDef* def) {
    auto& attrs = *def->mutable_attr();
    if (IsVariable(node)) {
      def->set_op("VarHandleOp");
      if (attrs["shared_name"].s().empty()) attrs["shared_name"].set_s(node.name());
      // Variables of TensorFlow 1 may leave [] where they do not know.
      if (attrs["shape"].shape().dim().empty())
        attrs["shape"].mutable_shape()->set_unknown_rank(true);
    } else if (const auto assignment = AssignmentByHandle(node.op_name()); !assignment.empty()) {
      const tf::DataType type = attrs["T"].type();
      attrs.clear();
      def->set_op(std::string(assignment));
      attrs["dtype"].set_type(type);
    } else if (node.op_name() == kQuestion) {
      def->set_op("VarIsInitializedOp");
      attrs.clear();
    } else {
      def->set_op(std::string(PassingByHandle(node)));
      attrs["T"].set_type(tf::DT_RESOURCE);
    }
  }

  Graph& graph_;
  Problems& problems_;
  std::vector<Node*> passing_;        // the variable first
  std::set<const Node*> is_passing_;  // only looked up
  std::vector<Edge*> uses_;           // of references to it
  int changes_ = 0;
};

}  // namespace

absl::StatusOr<int> ResolveReferences(Graph& graph, const PassContext&) {
  Problems problems;
  References references(graph, &problems);
  std::set<std::string> needed;  // variables, of which each may have several nodes
  std::vector<std::string> nodes;
  for (Node* node : graph.op_nodes())
    if (node->node_class() == NodeClass::kVariable && references.IsNeeded(node))
      needed.insert(VariableName(*node));
  for (const Node* node : graph.op_nodes())
    if (node->node_class() == NodeClass::kVariable && needed.contains(VariableName(*node)))
      nodes.push_back(node->name());
  for (const std::string& name : nodes)
    if (absl::Status s = references.Resolve(graph.FindNode(name)); !s.ok()) return s;
  if (!problems.empty()) return problems.ToStatus();
  FixupSourceAndSinkEdges(&graph);
  return references.changes();
}

}  // namespace linnet::converter
