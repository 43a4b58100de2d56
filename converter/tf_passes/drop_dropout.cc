// SPDX-License-Identifier: Apache-2.0
// Dropout that a frozen graph still carries, when it drops nothing (r = RandomUniform in [0, 1)):
//   x * Cast(GreaterEqual(r, rate)), rate <= 0       =>  x
//   x * Floor(keep_prob + r), keep_prob = 1          =>  x
//   SelectV2(GreaterEqual(r, rate), x, 0), rate <= 0 =>  x
// The random numbers may be scaled to [0, 1): r * 1 + 0. A dropout that does drop stays.
#include "converter/pass/passes.h"

#include <initializer_list>
#include <string_view>
#include <vector>

#include "converter/graph/algorithm.h"

namespace linnet::converter {
namespace {

bool IsOp(Output value, std::initializer_list<std::string_view> ops) {
  return value && value.node->IsAnyOf(ops);
}
bool IsSum(Output value) { return IsOp(value, {"Add", "AddV2"}); }

bool IsConstantWith(Output value, bool (*accepts)(double)) {
  if (!value || !value.node->IsConstant()) return false;
  const Constant& constant = value.node->constant();
  return constant.type.shape.num_elements() == 1 && constant.type.dtype != DType::kInvalid &&
         accepts(constant.ScalarValue());
}
bool IsZeroOrLess(double v) { return v <= 0.0; }
bool IsZero(double v) { return v == 0.0; }
bool IsOne(double v) { return v == 1.0; }

// RandomUniform, perhaps scaled to [0, 1): r * (1 - 0) + 0.
bool IsUniformRandom(Output value) {
  if (IsSum(value) && IsConstantWith(value.node->input(1), IsZero)) value = value.node->input(0);
  if (IsOp(value, {"Mul"})) {
    const Output width = value.node->input(1);
    if (IsConstantWith(width, IsOne) ||
        (IsOp(width, {"Sub"}) && IsConstantWith(width.node->input(0), IsOne) &&
         IsConstantWith(width.node->input(1), IsZero)))
      value = value.node->input(0);
  }
  return IsOp(value, {"RandomUniform", "StatelessRandomUniform", "StatelessRandomUniformV2"});
}

bool IsAlwaysTrue(Output value) {
  return IsOp(value, {"GreaterEqual"}) && IsUniformRandom(value.node->input(0)) &&
         IsConstantWith(value.node->input(1), IsZeroOrLess);
}

// A mask of ones.
bool KeepsAll(Output mask) {
  if (IsOp(mask, {"Cast"})) return IsAlwaysTrue(mask.node->input(0));
  if (!IsOp(mask, {"Floor"}) || !IsSum(mask.node->input(0))) return false;
  const Node* sum = mask.node->input(0).node;
  for (int slot = 0; slot < 2; ++slot)
    if (IsConstantWith(sum->input(slot), IsOne) && IsUniformRandom(sum->input(1 - slot)))
      return true;
  return false;
}

Output KeptValue(const Node& node) {
  if (node.op_name() == "Mul") {
    for (int slot = 0; slot < 2; ++slot)
      if (KeepsAll(node.input(slot))) return node.input(1 - slot);
  } else if (node.IsAnyOf({"SelectV2", "Select"}) && IsAlwaysTrue(node.input(0))) {
    return node.input(1);
  }
  return {};
}

}  // namespace

absl::StatusOr<int> DropDropout(Graph& graph, const PassContext&) {
  int dropped = 0;
  std::vector<Node*> roots;
  for (Node* node : TopologicalOrder(graph)) {
    if (node->node_class() == NodeClass::kRetval) roots.push_back(node);
    const Output kept = KeptValue(*node);
    if (!kept) continue;
    graph.ReplaceNode(node, {&kept, 1});
    ++dropped;
  }
  if (dropped > 0 && !roots.empty()) PruneForReverseReachability(&graph, roots);
  return dropped;
}

}  // namespace linnet::converter
