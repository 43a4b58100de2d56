// SPDX-License-Identifier: Apache-2.0
#include "converter/passes/carry_state.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "converter/graph/algorithm.h"
#include "converter/graph/problems.h"
#include "converter/graph/session_state.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

bool IsAnyOf(const Node& node, std::initializer_list<std::string_view> ops) {
  return std::ranges::find(ops, node.op_name()) != ops.end();
}

bool IsAssignment(const Node& node) {
  return IsAnyOf(node, {"AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp"});
}

// All that lies behind `from`, by data and control edges.
std::set<const Node*> Behind(const Node* from) {
  std::set<const Node*> seen;
  std::vector<const Node*> open = {from};
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    for (const Edge* edge : node->out_edges())
      if (!edge->dst->IsSink() && seen.insert(edge->dst).second) open.push_back(edge->dst);
  }
  return seen;
}

// One variable, under all handles of its name.
struct Variable {
  const Node* handle = nullptr;
  std::vector<Edge*> reads;
  std::vector<Node*> assignments;
  std::vector<const Node*> others;  // that neither read nor assign
};

class Carrier {
 public:
  Carrier(Graph& graph, const PassContext& context) : graph_(graph), context_(context) {}

  absl::StatusOr<int> Run() {
    const std::vector<Node*> order = TopologicalOrder(graph_);
    positions_.resize(static_cast<size_t>(graph_.num_node_ids()));
    for (size_t i = 0; i < order.size(); ++i) positions_[static_cast<size_t>(order[i]->id())] = i;
    std::map<std::string, Variable> variables;
    for (Node* node : order)
      if (node->op_name() == "VarHandleOp") FindUses(node, &variables[VariableName(*node)]);
    for (auto& [name, variable] : variables)
      if (!variable.assignments.empty()) Carry(name, &variable);
    if (!problems_.empty()) return problems_.ToStatus();
    FixupSourceAndSinkEdges(&graph_);
    return changes_;
  }

 private:
  static void FindUses(Node* handle, Variable* variable) {
    if (variable->handle == nullptr) variable->handle = handle;
    for (Edge* edge : FindHandleUses(handle).uses) {
      Node* user = edge->dst;
      if (ReadsVariable(*user))
        variable->reads.push_back(edge);
      else if (IsAssignment(*user))
        variable->assignments.push_back(user);
      else if (!IsAnyOf(*user, {"VarIsInitializedOp", "DisableCopyOnRead"}))
        variable->others.push_back(user);
    }
  }

  void Carry(const std::string& name, Variable* variable) {
    const size_t before = problems_.all().size();
    for (const Node* user : variable->others)
      problems_.Add(*user, fmt::format("uses the variable '{}', which the model assigns", name),
                    "only reads and assignments outside of loops and branches are supported");
    absl::StatusOr<Constant> initial = ReadVariable(context_.variables, *variable->handle);
    if (!initial.ok())
      problems_.Add(initial.status(), variable->handle->name(), variable->handle->op_name());
    std::ranges::sort(variable->assignments, {},
                      [&](const Node* n) { return positions_[static_cast<size_t>(n->id())]; });
    std::vector<std::set<const Node*>> behind;
    for (const Node* assignment : variable->assignments) {
      if (!behind.empty() && !behind.back().contains(assignment))
        problems_.Add(
            *assignment,
            fmt::format("assigns the variable '{}' in no order with another assignment", name));
      behind.push_back(Behind(assignment));
    }
    if (problems_.all().size() == before) Rewrite(name, initial->type, *variable, behind);
  }

  // behind[i]: what comes after assignment i.
  void Rewrite(const std::string& name, const TensorType& type, const Variable& variable,
               const std::vector<std::set<const Node*>>& behind) {
    std::vector<std::vector<Edge*>> reads(behind.size() + 1);  // [assignments before it]
    for (Edge* edge : variable.reads) {
      const auto before = std::ranges::count_if(
          behind, [edge](const auto& nodes) { return nodes.contains(edge->dst); });
      reads[static_cast<size_t>(before)].push_back(edge);
    }
    Output value = {AddState(&graph_, name, type), 0};
    for (size_t i = 0; i < reads.size(); ++i) {
      if (i > 0) value = ValueAfter(variable.assignments[i - 1], value);
      if (!value) return;  // which has been reported
      // A read takes the value where it had the handle: legalize makes nothing of that.
      for (Edge* edge : reads[i]) Redirect(edge, value);
    }
    AddNextState(&graph_, name, value);
    for (Node* assignment : variable.assignments) graph_.ReplaceNode(assignment, {});
    changes_ += static_cast<int>(behind.size() + variable.reads.size());
  }

  void Redirect(Edge* edge, Output value) {
    Node* user = edge->dst;
    const int slot = edge->dst_input;
    graph_.RemoveEdge(edge);
    graph_.AddEdge(value.node, value.index, user, slot);
  }

  // What an assignment leaves behind where `value` was; its operand is read from the edge, which
  // reads that came before may have changed.
  Output ValueAfter(const Node* assignment, Output value) {
    const Output operand = assignment->input(1);
    if (assignment->op_name() == "AssignVariableOp") return operand;
    tf::NodeDef def;
    def.set_name(graph_.UniqueName(assignment->name() + "/value"));
    def.set_op(assignment->op_name() == "AssignAddVariableOp" ? "AddV2" : "Sub");
    (*def.mutable_attr())["T"].set_type(assignment->tf_input_types()[1]);
    absl::StatusOr<Node*> node = graph_.AddNode(def);
    if (!node.ok()) {
      problems_.Add(node.status(), assignment->name(), assignment->op_name());
      return {};
    }
    graph_.AddEdge(value.node, value.index, *node, 0);
    graph_.AddEdge(operand.node, operand.index, *node, 1);
    return {*node, 0};
  }

  Graph& graph_;
  const PassContext& context_;
  Problems problems_;
  std::vector<size_t> positions_;  // by node id
  int changes_ = 0;
};

}  // namespace

absl::StatusOr<int> CarryState(Graph& graph, const PassContext& context) {
  return Carrier(graph, context).Run();
}

}  // namespace linnet::converter
