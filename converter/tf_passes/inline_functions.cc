// SPDX-License-Identifier: Apache-2.0
// y = f(x), PartitionedCall(x) {f}, StatefulPartitionedCall(x) {f}  =>  the nodes of f, until no
// call is left
//
// Only calls that context.fetches need, without looking behind what is fed: prune removes the rest.
// Without fetches these are the nodes that nobody consumes; in a graph with _Retvals, the _Retvals.
// `call/inner/node` may be fed or fetched as any other node; a call that is fed or fetched by its
// own name stays as an IdentityN. Names and control edges are TensorFlow's
// (functions/inline_call.h). `_noinline` and `api_implements` are ignored, since a plan has no
// calls. Functions of If, While and Case stay in the library; gradients stay there and are never
// expanded. Recursion is an error that lists the cycle.
#include "converter/pass/passes.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "converter/functions/inline_calls.h"
#include "converter/graph/algorithm.h"
#include "converter/import/graph_constructor.h"

namespace linnet::converter {
namespace {

// The node of this name or, where that is inside a function, the call that it will come from.
Node* NodeOrItsCall(const Graph& graph, std::string name) {
  while (true) {
    Node* node = graph.FindNode(name);
    if (node != nullptr && node->IsOp()) return node;
    const size_t slash = name.rfind('/');
    if (slash == std::string::npos) return nullptr;
    name.resize(slash);
  }
}

std::vector<Node*> Roots(const Graph& graph, const std::set<std::string>& fetched) {
  std::vector<Node*> roots = graph.op_nodes(), unread = roots;
  std::erase_if(roots, [](const Node* node) { return node->node_class() != NodeClass::kRetval; });
  if (!roots.empty()) return roots;
  std::erase_if(unread, [](const Node* node) { return IsRead(*node); });
  if (fetched.empty()) return unread;
  for (const std::string& name : fetched)
    if (Node* node = NodeOrItsCall(graph, name); node != nullptr) roots.push_back(node);
  return roots;
}

}  // namespace

absl::StatusOr<int> InlineFunctions(Graph& graph, const PassContext& context) {
  std::set<std::string> fed, fetched;
  for (const Feed& feed : context.feeds) fed.insert(ParseTensorName(feed.tensor).first);
  for (const std::string& fetch : context.fetches) fetched.insert(ParseTensorName(fetch).first);
  const std::vector<Node*> roots = Roots(graph, fetched);
  std::set<std::string, std::less<>> kept(fed.begin(), fed.end());
  kept.insert(fetched.begin(), fetched.end());
  for (const Node* root : roots) kept.insert(root->name());
  InlineOptions options;
  options.keeps_name = [&](std::string_view name) { return kept.contains(name); };
  options.is_fed = [&](const Node& node) {
    return node.num_outputs() == 1 && fed.contains(node.name());
  };
  options.notes = context.notes;
  options.constant_room = context.constant_room;
  return InlineCalls(&graph, roots, options);
}

}  // namespace linnet::converter
