// SPDX-License-Identifier: Apache-2.0
// op(constants...)  =>  Const, evaluated with the portable kernels, producers first.
// Needs every input constant, and a result that MayFold (evaluate_op.h) finds worth its bytes. Ops
// that only move elements keep the encoding of a weight. An op that cannot be computed now (integer
// division by zero) stays for the device to report.
#include "converter/pass/passes.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "converter/graph/algorithm.h"
#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"
#include "converter/pass/evaluate_op.h"

namespace linnet::converter {
namespace {

std::vector<Constant> ConstantInputs(const Node& node) {
  std::vector<Constant> inputs;
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Constant* constant = ConstantOf(node.input(i));
    if (constant == nullptr) return {};
    inputs.push_back(*constant);
  }
  return inputs;
}

// Of the constants that nobody else reads.
int64_t FreedBytes(const Node& node) {
  std::set<const Node*> producers;
  for (int i = 0; i < node.num_inputs(); ++i) producers.insert(node.input(i).node);
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
  std::vector<TensorType> outputs;
  for (int i = 0; i < node.num_outputs(); ++i) outputs.push_back(node.type(i));
  return MayFold(inputs, outputs, FreedBytes(node), room);
}

}  // namespace

absl::StatusOr<int> FoldConstants(Graph& graph, const PassContext& context) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (graph.Varies(*node)) return false;
    if (node->node_class() != NodeClass::kOp) return false;
    const std::vector<Constant> inputs = ConstantInputs(*node);
    if (inputs.empty() || !MayFoldNode(*node, inputs, context.constant_room)) return false;
    absl::StatusOr<std::vector<Constant>> values =
        EvaluateOp(node->attrs(), inputs, context.folding_work);
    // An op that cannot be computed here (integer division by zero, no kernel) stays for the
    // device.
    if (!values.ok()) return false;
    std::vector<Node*> producers;
    for (int i = 0; i < node->num_inputs(); ++i) {
      Node* producer = node->input(i).node;
      if (std::find(producers.begin(), producers.end(), producer) == producers.end())
        producers.push_back(producer);
    }
    if (values->size() == 1) {
      graph.TurnIntoConstant(node, std::move((*values)[0]));
    } else {
      std::vector<Output> outputs;
      for (Constant& value : *values)
        outputs.push_back(AddConstantLike(graph, *node, "folded", std::move(value)));
      graph.ReplaceNode(node, outputs);
    }
    for (Node* producer : producers) RemoveUnused(graph, producer);
    return true;
  });
}

}  // namespace linnet::converter
