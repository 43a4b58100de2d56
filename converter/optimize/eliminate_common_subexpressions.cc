// SPDX-License-Identifier: Apache-2.0
// op(a, b), op(a, b)  =>  op(a, b) once: the one that comes first in topological order stays.
// Equal means: same op, equal attributes, same inputs (in any order where the op is commutative,
// see IsCommutative) and the same control inputs. Constants are equal when type, encoding and bytes
// are. Inputs and outputs of the graph are left alone. Maximum and Minimum count as commutative
// except under strict algebra: of two NaNs, or of +0 and -0, the order of the inputs decides which
// one is returned.
#include "converter/pass/passes.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "converter/graph/algorithm.h"
#include "converter/graph/placement_wish.h"
#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

// This is hash-based value numbering:
//   for each node in topological order:
//     find a kept node with the same op, attributes and inputs; the inputs are kept nodes already
//     if there is one: redirect every reader to it, drop the node
//     else keep the node
namespace linnet::converter {
namespace {

bool IsCommutative(const Node& node, const PassContext& context) {
  if (node.Is<BinaryAttrs>()) {
    switch (node.attrs<BinaryAttrs>().kind) {
      case BinaryKind::Add:
      case BinaryKind::Mul:
      case BinaryKind::SquaredDifference:
      case BinaryKind::LogicalAnd:
      case BinaryKind::LogicalOr:
        return true;
      case BinaryKind::Maximum:
      case BinaryKind::Minimum:
        return !context.strict();
      default:
        return false;
    }
  }
  if (node.Is<CompareAttrs>()) {
    const schema::CompareKind kind = node.attrs<CompareAttrs>().kind;
    return kind == schema::CompareKind::Equal || kind == schema::CompareKind::NotEqual;
  }
  return false;
}

// A constant or an op, and what it reads. It stays as it is while its node is kept: what the node
// reads comes earlier and is kept too.
struct Computation {
  Computation(Node* of, const PassContext& context);
  Node* node;
  absl::InlinedVector<std::pair<int, int>, 4> inputs;  // node id, output
  absl::InlinedVector<int, 2> controls;
};

Computation::Computation(Node* of, const PassContext& context) : node(of) {
  for (const Output input : node->inputs()) inputs.emplace_back(input.node->id(), input.index);
  if (IsCommutative(*node, context)) std::ranges::sort(inputs);
  for (const Edge* edge : node->in_edges())
    if (edge->IsControlEdge() && !edge->src->IsSource()) controls.push_back(edge->src->id());
  std::ranges::sort(controls);
}

bool operator==(const Computation& a, const Computation& b) {
  if (a.node->node_class() != b.node->node_class() || a.inputs != b.inputs ||
      a.controls != b.controls)
    return false;
  return a.node->IsConstant() ? a.node->constant().SameAs(b.node->constant())
                              : a.node->attrs() == b.node->attrs();
}

size_t Mix(size_t seed, size_t value) {
  return (seed ^ value) * 0x9E3779B97F4A7C15ull + (seed >> 29);
}

size_t HashOfBytes(const auto& bytes) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

size_t HashOf(const Computation& computation) {
  const Node& node = *computation.node;
  size_t hash = static_cast<size_t>(node.node_class());
  if (node.IsConstant()) {
    hash = Mix(hash, HashOfBytes(node.constant().bytes));
  } else {
    hash = Mix(hash, static_cast<size_t>(node.kind()));
    // A model may cut one tensor into thousands of slices, which differ in their attributes only.
    hash = Mix(hash, HashOfBytes(EncodeAttrs(node.kind(), node.attrs().data())));
  }
  for (const auto& [id, output] : computation.inputs)
    hash = Mix(Mix(hash, static_cast<size_t>(id)), static_cast<size_t>(output));
  return hash;
}

}  // namespace

absl::StatusOr<int> EliminateCommonSubexpressions(Graph& graph, const PassContext& context) {
  std::unordered_set<Computation, decltype(&HashOf)> kept(0, HashOf);
  int merged = 0;
  for (Node* node : TopologicalOrder(graph)) {
    if (!node->IsConstant() && node->node_class() != NodeClass::kOp) continue;
    const auto [same, added] = kept.emplace(node, context);
    if (added) continue;
    Node* twin = same->node;
    std::vector<Output> outputs;
    outputs.reserve(node->num_outputs());
    for (int i = 0; i < node->num_outputs(); ++i) outputs.push_back({twin, i});
    StandFor(*node, twin);
    graph.ReplaceNode(node, outputs);
    ++merged;
  }
  if (merged > 0) FixupSourceAndSinkEdges(&graph);
  return merged;
}

}  // namespace linnet::converter
