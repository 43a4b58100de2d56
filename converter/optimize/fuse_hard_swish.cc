// SPDX-License-Identifier: Apache-2.0
// With r = clamp(x + 3, 0, 6):
// r / 6, r * (1/6)                          =>  HardSigmoid(x)
// clamp(x / 6 + 1/2, 0, 1)                  =>  HardSigmoid(x)
// x * HardSigmoid(x)                        =>  HardSwish(x)
// x * r * c, in any order and association   =>  HardSwish(x) [* 6c]
// r * c                                     =>  HardSigmoid(x) [* 6c]
// The extra factor appears when c is not 1/6 (some exporters round it to f16). It keeps the value
// right, and fold_batch_norm usually absorbs it. Not under strict algebra.
#include "converter/pass/passes.h"

#include <cmath>
#include <vector>

#include "converter/graph/placement_wish.h"
#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

// What a whole product is: scale * kind(x).
struct Swish {
  UnaryKind kind = UnaryKind::Invalid;
  Output x;
  double scale = 1.0;
  std::vector<const Node*> nodes;
};

Swish MatchProduct(Node* root) {
  const Product product = FlattenProduct(root);
  if (product.factors.empty() || product.factors.size() > 2) return {};
  for (size_t i = 0; i < product.factors.size(); ++i) {
    const Output factor = product.factors[i];
    const bool alone = product.factors.size() == 1;
    const UnaryKind kind = alone ? UnaryKind::HardSigmoid : UnaryKind::HardSwish;
    Swish match{kind, {}, product.scale, product.nodes};
    if (const std::optional<Output> x = MatchRelu6Plus3(factor)) {
      match.x = *x;
      match.scale *= 6.0;
      match.nodes.push_back(factor.node);
    } else if (const Node* sigmoid = UnaryProducer(factor, UnaryKind::HardSigmoid);
               sigmoid != nullptr && !alone) {
      match.x = sigmoid->input(0);
      match.nodes.push_back(sigmoid);
    } else {
      continue;
    }
    if (!HasSingleUse(factor.node)) continue;
    if (alone || product.factors[1 - i] == match.x) return match;
  }
  return {};
}

// clamp(x / 6 + 1/2, 0, 1), x * (1/6) included.
Swish MatchClampForm(Node* clamp) {
  if (!clamp->Is<ClampAttrs>() || clamp->attrs<ClampAttrs>().range != OutputRange{0.0f, 1.0f})
    return {};
  Node* add = BinaryProducer(clamp->input(0), BinaryKind::Add);
  if (!HasSingleUse(add)) return {};
  const WithConstant shifted = SplitConstant(add);
  if (!shifted || !IsSplat(shifted.constant, 0.5) || !HasSingleUse(shifted.value.node)) return {};
  const Product product = FlattenProduct(shifted.value.node, 0);
  if (product.factors.size() != 1 || std::abs(product.scale * 6.0 - 1.0) > 1e-6) return {};
  return {UnaryKind::HardSigmoid, product.factors[0], 1.0, {add, shifted.value.node}};
}

absl::StatusOr<bool> RewriteSwish(Graph& graph, Node* root, const Swish& match) {
  if (match.kind == UnaryKind::Invalid || TypeOf(match.x) != root->type()) return false;
  const UnaryAttrs attrs{match.kind};
  const bool scaled = std::abs(match.scale - 1.0) > 1e-6;
  if (!scaled) return ReplaceWithOp(graph, root, attrs, {match.x});
  // For a single x * r the extra Mul would take the place of the one that goes away.
  if (match.nodes.size() < 3) return false;
  absl::StatusOr<Output> fused = AddOpLike(graph, *root, "fused", attrs, {match.x});
  if (!fused.ok()) return fused.status();
  for (const Node* node : match.nodes) StandFor(*node, fused->node);
  const Output factor = AddConstantLike(graph, *root, "scale", FloatScalar(match.scale));
  return ReplaceWithOp(graph, root, BinaryAttrs{BinaryKind::Mul}, {*fused, factor});
}

}  // namespace

absl::StatusOr<int> FuseHardSwish(Graph& graph, const PassContext& context) {
  if (context.strict()) return 0;
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    return RewriteSwish(graph, node,
                        node->Is<ClampAttrs>() ? MatchClampForm(node) : MatchProduct(node));
  });
}

}  // namespace linnet::converter
