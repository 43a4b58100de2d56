// SPDX-License-Identifier: Apache-2.0
// With s = Mean(x * x) over the last axis, dimensions kept:
//   x * Rsqrt(s + eps),  x / Sqrt(s + eps)   =>  RmsNorm(x, 1) {eps}
//   x * (Rsqrt(s + eps) * gamma)             =>  RmsNorm(x, gamma) {eps}
// Square and Mul(x, x) are the same; gamma is constant and per channel. Not under strict algebra.
// RmsNorm(x, gamma) * c then becomes RmsNorm(x, gamma * c).
#include "converter/pass/passes.h"

#include <vector>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

struct RmsMatch {
  Output x, gamma;  // an empty gamma is 1
  float epsilon = 0.0f;
};

// (x, epsilon) for Mean(x * x) + epsilon, each node of which is read once.
std::optional<RmsMatch> MatchMeanSquare(Output value) {
  const MeanPlusEpsilon sum = MatchMeanPlusEpsilon(value);
  if (!sum) return std::nullopt;
  const Output square = sum.mean->input(0), x = MatchSquare(square);
  if (!x || !IsF32(x) || !HasSingleUse(square.node)) return std::nullopt;
  return RmsMatch{x, {}, sum.epsilon};
}

// Rsqrt(s + epsilon), times gamma or not.
std::optional<RmsMatch> MatchRmsGain(Output value) {
  Output gamma;
  if (const Node* mul = BinaryProducer(value, BinaryKind::Mul)) {
    const WithConstant parts = SplitConstant(mul);
    if (!parts || !HasSingleUse(mul)) return std::nullopt;
    gamma = parts.constant;
    value = parts.value;
  }
  const Node* rsqrt = UnaryProducer(value, UnaryKind::Rsqrt);
  if (!HasSingleUse(rsqrt)) return std::nullopt;
  std::optional<RmsMatch> match = MatchMeanSquare(rsqrt->input(0));
  if (match) match->gamma = gamma;
  return match;
}

std::optional<RmsMatch> MatchRmsNorm(const Node* node) {
  if (IsBinary(node, BinaryKind::Mul)) {
    for (int slot = 0; slot < 2; ++slot) {
      const std::optional<RmsMatch> match = MatchRmsGain(node->input(slot));
      if (match && match->x == node->input(1 - slot)) return match;
    }
  } else if (IsBinary(node, BinaryKind::Div)) {
    const Node* sqrt = UnaryProducer(node->input(1), UnaryKind::Sqrt);
    if (!HasSingleUse(sqrt)) return std::nullopt;
    const std::optional<RmsMatch> match = MatchMeanSquare(sqrt->input(0));
    if (match && match->x == node->input(0)) return match;
  }
  return std::nullopt;
}

absl::StatusOr<bool> RewriteRmsNorm(Graph& graph, Node* root, const RmsMatch& match) {
  const TensorType& type = TypeOf(match.x);
  if (type != root->type() || type.shape.rank() < 1) return false;
  const auto gamma = ChannelInput(graph, *root, "gamma", match.gamma, 1.0, match.x);
  if (!gamma) return false;
  return ReplaceWithOp(graph, root, RmsNormAttrs{match.epsilon}, {match.x, *gamma});
}

// RmsNorm(x, gamma) * c: c into gamma.
bool AbsorbGamma(Graph& graph, Node* node) {
  if (!IsBinary(node, BinaryKind::Mul)) return false;
  const WithConstant parts = SplitConstant(node);
  Node* norm = Producer<RmsNormAttrs>(parts.value);
  if (!HasSingleUse(norm) || norm->type() != node->type()) return false;
  const Constant* gamma = ConstantOf(norm->input(1));
  const auto scale = ChannelValues(*ConstantOf(parts.constant), node->type());
  if (gamma == nullptr || !scale) return false;
  std::vector<double> values = ElementsOf(*gamma);
  for (size_t i = 0; i < values.size(); ++i) values[i] *= (*scale)[i];
  Rewire(graph, norm, 1,
         AddConstantLike(graph, *node, "gamma", FloatConstant(gamma->type.shape, values)));
  Absorb(graph, node, norm);
  return true;
}

}  // namespace

absl::StatusOr<int> FuseRmsNorm(Graph& graph, const PassContext& context) {
  if (context.strict()) return 0;
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (const std::optional<RmsMatch> match = MatchRmsNorm(node))
      return RewriteRmsNorm(graph, node, *match);
    return AbsorbGamma(graph, node);
  });
}

}  // namespace linnet::converter
