// SPDX-License-Identifier: Apache-2.0
#include "converter/import/inline_calls.h"

#include <algorithm>
#include <map>
#include <set>

#include "converter/graph/algorithm.h"
#include "converter/graph/function_library.h"
#include "converter/graph/problems.h"
#include "converter/import/function_body.h"
#include "converter/import/inline_call.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

// What a node calls: a name and attributes.
struct Callee {
  std::string function;
  AttrValues attrs;

  // Equal for calls that may share a body. Maps inside attributes of functions may be written in
  // several orders, which only costs a second body.
  std::string Key() const {
    std::map<std::string, std::string> sorted;
    for (const auto& [name, value] : attrs) sorted.emplace(name, value.SerializeAsString());
    std::string key = function;
    for (const auto& [name, value] : sorted)
      key += fmt::format("\n{} {} {}", name, value.size(), value);
    return key;
  }
};

class Inliner {
 public:
  Inliner(Graph* graph, const InlineOptions& options) : graph_(*graph), options_(options) {
    context_.registry = &graph_.registry();
    context_.library = &graph_.functions();
    context_.versions = graph_.versions();
    context_.budget = &budget_;
    context_.notes = options.notes;
    if (options.constant_room != nullptr) budget_.bytes_left = *options.constant_room;
  }

  absl::StatusOr<int> Run(const std::vector<Node*>& roots) {
    for (Node* root : roots) Visit(root);
    while (!open_.empty()) {
      Node* node = open_.back();
      open_.pop_back();
      Inline(node);
      if (full_) break;
    }
    if (inlined_ > 0) FixupSourceAndSinkEdges(&graph_);
    if (options_.constant_room != nullptr) *options_.constant_room = budget_.bytes_left;
    if (!problems_.empty()) return problems_.ToStatus();
    return inlined_;
  }

 private:
  static bool IsCall(const Node& node) {
    return node.node_class() == NodeClass::kFunctionCall ||
           node.node_class() == NodeClass::kPartitionedCall;
  }

  bool IsNeeded(const Node* node) const {
    return static_cast<size_t>(node->id()) < needed_.size() &&
           needed_[static_cast<size_t>(node->id())];
  }

  // Calls are looked into later, when nobody walks over their edges any more.
  void Visit(Node* from) {
    std::vector<Node*> stack = {from};
    while (!stack.empty()) {
      Node* node = stack.back();
      stack.pop_back();
      if (node->IsSource() || IsNeeded(node)) continue;
      if (needed_.size() < static_cast<size_t>(graph_.num_node_ids()))
        needed_.resize(static_cast<size_t>(graph_.num_node_ids()), false);
      needed_[static_cast<size_t>(node->id())] = true;
      if (options_.is_fed != nullptr && options_.is_fed(*node)) continue;
      if (IsCall(*node)) open_.push_back(node);
      for (const Edge* edge : node->in_edges()) stack.push_back(edge->src);
    }
  }

  static Callee CalleeOf(const Node& node) {
    if (node.node_class() == NodeClass::kFunctionCall) {
      Callee callee{node.op_name(), {}};
      for (const auto& [name, value] : node.tf_attrs()) callee.attrs[name] = value;
      return callee;
    }
    const tf::AttrValue* f = node.FindAttr("f");
    if (f == nullptr) return {};
    return {f->func().name(), f->func().attr()};
  }

  void Inline(Node* call) {
    const FunctionBody* body = BodyFor(*call);
    if (body == nullptr) return;
    if (graph_.num_nodes() > options_.max_nodes - body->graph->num_nodes()) {
      problems_.Add(*call, fmt::format("functions grow to more than {} nodes", options_.max_nodes));
      full_ = true;
      return;
    }
    const bool keep = options_.keeps_name != nullptr && options_.keeps_name(call->name());
    absl::StatusOr<InlinedCall> inlined = InlineCall(&graph_, call, *body, keep);
    if (!inlined.ok()) {
      problems_.Add(inlined.status(), call->name(), call->op_name());
      return;
    }
    ++inlined_;
    if (inlined->caller != nullptr) Visit(inlined->caller);
    for (Node* output : inlined->outputs) VisitIfRead(output);
    if (inlined->done != nullptr) VisitIfRead(inlined->done);
  }

  void VisitIfRead(Node* node) {
    const auto edges = node->out_edges();
    if (std::ranges::any_of(edges, [this](const Edge* e) { return IsNeeded(e->dst); })) Visit(node);
  }

  // Null when there is none and the problem is noted.
  const FunctionBody* BodyFor(const Node& call) {
    const Callee callee = CalleeOf(call);
    const auto [it, added] = bodies_.try_emplace(callee.Key());
    if (added) it->second = MakeBody(call, callee);
    return it->second.get();
  }

  std::unique_ptr<FunctionBody> MakeBody(const Node& call, const Callee& callee) {
    const std::shared_ptr<const tf::FunctionDef> function =
        graph_.functions().Share(callee.function);
    if (function == nullptr) {
      problems_.Add(call, fmt::format("calls the function '{}', which the model does not have",
                                      callee.function));
      return nullptr;
    }
    const std::vector<std::string> cycle = graph_.functions().FindCycle(callee.function, &acyclic_);
    if (!cycle.empty()) {
      problems_.Add(call,
                    fmt::format("the function '{}' is recursive: {}", callee.function,
                                fmt::join(cycle, " -> ")),
                    "a plan has no stack; use a loop");
      return nullptr;
    }
    absl::StatusOr<FunctionBody> body = InstantiateFunction(function, callee.attrs, context_);
    if (body.ok()) return std::make_unique<FunctionBody>(*std::move(body));
    problems_.Add(body.status(), call.name(), call.op_name());
    return nullptr;
  }

  Graph& graph_;
  const InlineOptions& options_;
  FunctionContext context_;
  ExpansionBudget budget_;
  Problems problems_;
  std::map<std::string, std::unique_ptr<FunctionBody>> bodies_;
  std::set<std::string> acyclic_;
  std::vector<bool> needed_;  // by node id
  std::vector<Node*> open_;   // calls to inline
  int inlined_ = 0;
  bool full_ = false;
};

}  // namespace

absl::StatusOr<int> InlineCalls(Graph* graph, const std::vector<Node*>& roots,
                                const InlineOptions& options) {
  return Inliner(graph, options).Run(roots);
}

}  // namespace linnet::converter
