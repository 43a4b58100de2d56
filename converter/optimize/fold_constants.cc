// SPDX-License-Identifier: Apache-2.0
// op(constants...)  =>  Const, evaluated with the portable kernels, producers first.
// All inputs must be constant, and MayFold (evaluate_op.h) must find the result worth its bytes.
// Ops that only move elements keep the encoding of a weight. An op that cannot be computed here
// (integer division by zero, no kernel) stays, so that the device reports what is wrong with it.
#include "converter/pass/passes.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "converter/graph/algorithm.h"
#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"
#include "converter/pass/evaluate_op.h"

namespace linnet::converter {
namespace {

// The values of all inputs; none when any of them is computed.
std::vector<Constant> ConstantInputs(const Node& node) {
  std::vector<Constant> constants;
  for (const Output input : node.inputs()) {
    const Constant* constant = ConstantOf(input);
    if (constant == nullptr) return {};
    constants.push_back(*constant);
  }
  return constants;
}

// The bytes of the constants that only `node` reads.
int64_t FreedBytes(const Node& node) {
  std::set<const Node*> producers;
  for (const Output input : node.inputs()) producers.insert(input.node);
  int64_t bytes = 0;
  for (const Node* producer : producers) {
    const auto uses = producer->out_edges();
    if (std::ranges::all_of(uses,
                            [&](const Edge* e) { return e->dst == &node || e->dst->IsSink(); }))
      bytes += producer->constant().type.bytes();
  }
  return bytes;
}

bool MayFoldNode(const Node& node, std::span<const Constant> inputs, int64_t* room) {
  return MayFold(inputs, node.types(), FreedBytes(node), room);
}

}  // namespace

absl::StatusOr<int> FoldConstants(Graph& graph, const PassContext& context) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (node->node_class() != NodeClass::kOp || graph.Varies(*node)) return false;
    const std::vector<Constant> inputs = ConstantInputs(*node);
    if (inputs.empty() || !MayFoldNode(*node, inputs, context.constant_room)) return false;
    absl::StatusOr<std::vector<Constant>> values =
        EvaluateOp(node->attrs(), inputs, context.folding_work);
    if (!values.ok()) return false;
    std::vector<int> producers;
    for (const Output input : node->inputs()) producers.push_back(input.node->id());
    if (values->size() == 1) {
      graph.TurnIntoConstant(node, std::move((*values)[0]));
    } else {
      std::vector<Output> outputs;
      for (Constant& value : *values)
        outputs.push_back(AddConstantLike(graph, *node, "folded", std::move(value)));
      graph.ReplaceNode(node, outputs);
    }
    RemoveUnused(graph, producers);
    return true;
  });
}

}  // namespace linnet::converter
