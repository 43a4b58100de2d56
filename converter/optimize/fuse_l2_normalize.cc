// SPDX-License-Identifier: Apache-2.0
// x * Rsqrt(Maximum(Sum(x * x), eps)),  x / Sqrt(Maximum(Sum(x * x), eps))  =>  L2Normalize(x, eps)
// Sum over the last axis, dimensions kept. Square and Mul(x, x) are the same; Maximum may be a
// Clamp. Without the Maximum epsilon is 0. Not under strict algebra.
#include "converter/pass/passes.h"

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

struct Match {
  Output x;
  float epsilon = 0.0f;
};

// (x, epsilon) for Maximum(Sum(x * x), epsilon), each node of which is read once.
std::optional<Match> MatchNorm(Output value) {
  Match match;
  if (const Node* clamp = Producer<ClampAttrs>(value)) {
    const OutputRange& range = clamp->attrs<ClampAttrs>().range;
    if (range.min < 0.0f || range.max != OutputRange{}.max || !HasSingleUse(clamp))
      return std::nullopt;
    match.epsilon = range.min;
    value = clamp->input(0);
  } else if (const Node* maximum = BinaryProducer(value, BinaryKind::Maximum)) {
    const WithConstant parts = SplitConstant(maximum);
    const std::optional<float> epsilon = Splat(parts.constant);
    if (!parts || !epsilon || !(*epsilon >= 0.0f) || !HasSingleUse(maximum)) return std::nullopt;
    match.epsilon = *epsilon;
    value = parts.value;
  }
  Node* sum = RowReductionProducer(value, ReduceKind::Sum);
  if (!HasSingleUse(sum) || !HasSingleUse(sum->input(0).node)) return std::nullopt;
  match.x = MatchSquare(sum->input(0));
  if (!match.x || !IsF32(match.x)) return std::nullopt;
  return match;
}

// The x / |x| that `node` computes: x * Rsqrt(norm) or x / Sqrt(norm).
std::optional<Match> MatchNormalize(const Node* node) {
  const bool mul = IsBinary(node, BinaryKind::Mul);
  if (!mul && !IsBinary(node, BinaryKind::Div)) return std::nullopt;
  for (int slot = mul ? 0 : 1; slot < 2; ++slot) {
    Node* root = UnaryProducer(node->input(slot), mul ? UnaryKind::Rsqrt : UnaryKind::Sqrt);
    if (!HasSingleUse(root)) continue;
    const std::optional<Match> match = MatchNorm(root->input(0));
    if (match && match->x == node->input(1 - slot)) return match;
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<int> FuseL2Normalize(Graph& graph, const PassContext& context) {
  if (context.strict()) return 0;
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    const std::optional<Match> match = MatchNormalize(node);
    if (!match) return false;
    return ReplaceWithOp(graph, node, L2NormalizeAttrs{match->epsilon}, {match->x});
  });
}

}  // namespace linnet::converter
