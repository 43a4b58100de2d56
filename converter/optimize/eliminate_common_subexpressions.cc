// SPDX-License-Identifier: Apache-2.0
// op(a, b), op(a, b)  =>  op(a, b) once: the one that comes first in topological order stays.
// Equal means: same op, equal attributes, same inputs (in any order where the op is commutative,
// see IsCommutative) and the same control inputs. Constants are equal when type, encoding and bytes
// are. Inputs and outputs of the graph are left alone. Maximum and Minimum count as commutative
// except under strict algebra: with two NaNs, or +0 and -0, the order shows.
#include "converter/pass/passes.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "converter/graph/algorithm.h"
#include "converter/graph/placement_wish.h"
#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

// Lengauer and others call this hash-based value numbering:
//   for each node in topological order:
//     key = hash(op, attributes, inputs)           inputs already point to kept nodes
//     for each kept node with this key:            a hash decides nothing, the comparison does
//       if equal: redirect every reader to it, drop the node
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

using InputKey = std::pair<int, int>;  // node id, output

// What must agree beside op and attributes (or the constant).
struct Signature {
  absl::InlinedVector<InputKey, 4> inputs;
  absl::InlinedVector<int, 2> controls;
  friend bool operator==(const Signature&, const Signature&) = default;
};

Signature SignatureOf(const Node& node, const PassContext& context) {
  Signature signature;
  for (int i = 0; i < node.num_inputs(); ++i)
    signature.inputs.emplace_back(node.input(i).node->id(), node.input(i).index);
  if (node.node_class() == NodeClass::kOp && IsCommutative(node, context))
    std::sort(signature.inputs.begin(), signature.inputs.end());
  for (const Edge* edge : node.in_edges())
    if (edge->IsControlEdge() && !edge->src->IsSource())
      signature.controls.push_back(edge->src->id());
  std::sort(signature.controls.begin(), signature.controls.end());
  return signature;
}

size_t Mix(size_t seed, size_t value) {
  return (seed ^ value) * 0x9E3779B97F4A7C15ull + (seed >> 29);
}

size_t HashOf(const Node& node, const Signature& signature) {
  size_t hash = static_cast<size_t>(node.node_class());
  if (node.IsConstant()) {
    const auto bytes = node.constant().bytes;
    hash = Mix(hash, std::hash<std::string_view>{}(
                         {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  } else {
    hash = Mix(hash, static_cast<size_t>(node.kind()));
    // A model may cut one tensor in thousands of slices, which differ in nothing else.
    const std::vector<uint8_t> attrs = EncodeAttrs(node.kind(), node.attrs().data());
    hash = Mix(hash, std::hash<std::string_view>{}(
                         {reinterpret_cast<const char*>(attrs.data()), attrs.size()}));
  }
  for (const auto& [id, output] : signature.inputs)
    hash = Mix(Mix(hash, static_cast<size_t>(id)), static_cast<size_t>(output));
  return hash;
}

bool SameComputation(const Node& a, const Node& b) {
  if (a.node_class() != b.node_class()) return false;
  if (a.IsConstant()) return a.constant().SameAs(b.constant());
  return a.attrs() == b.attrs();
}

}  // namespace

absl::StatusOr<int> EliminateCommonSubexpressions(Graph& graph, const PassContext& context) {
  std::unordered_multimap<size_t, Node*> kept;
  int merged = 0;
  for (Node* node : TopologicalOrder(graph)) {
    if (!node->IsConstant() && node->node_class() != NodeClass::kOp) continue;
    const Signature signature = SignatureOf(*node, context);
    const size_t hash = HashOf(*node, signature);
    const auto [begin, end] = kept.equal_range(hash);
    // What a kept node reads stays as it is: it comes earlier and is kept too.
    const auto same = std::find_if(begin, end, [&](const auto& entry) {
      return SameComputation(*entry.second, *node) &&
             SignatureOf(*entry.second, context) == signature;
    });
    if (same == end) {
      kept.emplace(hash, node);
      continue;
    }
    Node* twin = same->second;
    std::vector<Output> outputs;
    for (int i = 0; i < node->num_outputs(); ++i) outputs.push_back({twin, i});
    StandFor(*node, twin);
    graph.ReplaceNode(node, outputs);
    ++merged;
  }
  if (merged > 0) FixupSourceAndSinkEdges(&graph);
  return merged;
}

}  // namespace linnet::converter
