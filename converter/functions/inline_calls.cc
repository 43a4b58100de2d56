// SPDX-License-Identifier: Apache-2.0
#include "converter/functions/inline_calls.h"

#include <algorithm>

#include "converter/functions/function_bodies.h"
#include "converter/functions/inline_call.h"
#include "converter/functions/variable_ops.h"
#include "converter/graph/algorithm.h"
#include "converter/graph/problems.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

class Inliner {
 public:
  Inliner(Graph* graph, const InlineOptions& options)
      : graph_(*graph),
        options_(options),
        bodies_(*graph, options.constant_room, options.notes),
        name_room_(options.constant_room != nullptr ? options.constant_room : &own_name_room_) {}

  absl::StatusOr<int> Run(const std::vector<Node*>& roots) {
    for (Node* root : roots) Visit(root);
    std::vector<Node*> nodes = graph_.op_nodes();
    std::erase_if(nodes, [this](const Node* node) { return !IsNeeded(node); });
    keeps_order_ = MayAssign(graph_.functions(), nodes);
    while (!open_.empty() && !full_) {
      Node* call = open_.back();
      open_.pop_back();
      Inline(call);
    }
    if (inlined_ > 0) FixupSourceAndSinkEdges(&graph_);
    if (!problems_.empty()) return problems_.ToStatus();
    return inlined_;
  }

 private:
  bool IsNeeded(const Node* node) const {
    return node->id() < std::ssize(needed_) && needed_[node->id()];
  }

  // Marks what `from` depends on as needed. Calls are inlined later, as this walks over the edges.
  void Visit(Node* from) {
    std::vector<Node*> stack = {from};
    while (!stack.empty()) {
      Node* node = stack.back();
      stack.pop_back();
      if (node->IsSource() || IsNeeded(node)) continue;
      if (std::ssize(needed_) < graph_.num_node_ids()) needed_.resize(graph_.num_node_ids());
      needed_[node->id()] = true;
      if (options_.is_fed != nullptr && options_.is_fed(*node)) continue;
      if (IsCall(*node)) open_.push_back(node);
      for (const Edge* edge : node->in_edges()) stack.push_back(edge->src);
    }
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
    absl::StatusOr<InlinedCall> inlined =
        InlineCall(&graph_, call, *body, keep, name_room_, keeps_order_);
    if (!inlined.ok()) {
      problems_.Add(inlined.status(), call->name(), call->op_name());
      full_ = absl::IsResourceExhausted(inlined.status());
      return;
    }
    ++inlined_;
    if (inlined->caller != nullptr) Visit(inlined->caller);
    for (Node* output : inlined->outputs) VisitIfRead(output);
    if (inlined->done != nullptr) VisitIfRead(inlined->done);
  }

  void VisitIfRead(Node* node) {
    if (std::ranges::any_of(node->out_edges(), [&](const Edge* e) { return IsNeeded(e->dst); }))
      Visit(node);
  }

  // Null when there is none, which is a problem of the first call only.
  const FunctionBody* BodyFor(const Node& call) {
    const auto [body, is_new] = bodies_.Find(CalleeOf(call));
    if (body.ok()) return &*body;
    if (!is_new) return nullptr;
    if (absl::IsUnimplemented(body.status()))  // recursion
      problems_.Add(call, std::string(body.status().message()), "a plan has no stack; use a loop");
    else
      problems_.Add(body.status(), call.name(), call.op_name());
    return nullptr;
  }

  Graph& graph_;
  const InlineOptions& options_;
  FunctionBodies bodies_;
  int64_t own_name_room_ = int64_t{256} << 20;
  int64_t* const name_room_;
  Problems problems_;
  std::vector<bool> needed_;  // by node id
  std::vector<Node*> open_;   // calls to inline
  int inlined_ = 0;
  bool keeps_order_ = false;
  bool full_ = false;  // a bound is reached
};

}  // namespace

absl::StatusOr<int> InlineCalls(Graph* graph, const std::vector<Node*>& roots,
                                const InlineOptions& options) {
  return Inliner(graph, options).Run(roots);
}

}  // namespace linnet::converter
