// SPDX-License-Identifier: Apache-2.0
// Over the last axis, with m = Mean(x), v = Mean(SquaredDifference(x, m)) or Mean(Square(x - m))
// and i = Rsqrt(v + eps) (or 1 / Sqrt):
//   x * (i * gamma) + (beta - m * (i * gamma))      Keras 2, tf.nn.batch_normalization
//   x * (i * gamma) + (-m * (i * gamma) + beta)     Keras 3
//   (x - m) * i * gamma + beta,  (x - m) / Sqrt(v + eps) * gamma + beta
// =>  LayerNorm(x, gamma, beta).  gamma and beta: constants per channel; a missing gamma is 1, a
// missing beta 0. Nothing else may read the variance. Not under strict algebra.
// LayerNorm(x, gamma, beta) * c and + c then become part of gamma and beta.
#include "converter/pass/passes.h"

#include <utility>
#include <vector>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

struct Moments {
  Output x, mean;
  float epsilon = 0.0f;
};

// Is `value` x - mean?
bool IsDeviation(Output value, const Moments& moments) {
  const Node* sub = BinaryProducer(value, BinaryKind::Sub);
  return sub != nullptr && sub->input(0) == moments.x && sub->input(1) == moments.mean;
}

// Is `value` (x - mean)^2?
bool IsSquaredDeviation(Output value, const Moments& moments) {
  const auto& [x, mean, epsilon] = moments;
  if (const Node* d = BinaryProducer(value, BinaryKind::SquaredDifference))
    return (d->input(0) == x && d->input(1) == mean) || (d->input(0) == mean && d->input(1) == x);
  return IsDeviation(MatchSquare(value), moments);
}

// (x, mean, epsilon) for Mean((x - mean)^2) + epsilon.
std::optional<Moments> MatchVariance(Output value) {
  const MeanPlusEpsilon sum = MatchMeanPlusEpsilon(value);
  if (!sum) return std::nullopt;
  const Output square = sum.mean->input(0);
  const Node* deviation = square.node;
  for (const Edge* edge : deviation->in_edges()) {
    // x and mean are inputs of the deviation itself or of the difference that it squares.
    const Node* source = IsBinary(edge->src, BinaryKind::Sub) ? edge->src : deviation;
    for (int slot = 0; slot < source->num_inputs(); ++slot) {
      const Node* mean = RowReductionProducer(source->input(slot), ReduceKind::Mean);
      if (mean == nullptr) continue;
      const Moments moments{mean->input(0), source->input(slot), sum.epsilon};
      if (IsSquaredDeviation(square, moments)) return moments;
    }
  }
  return std::nullopt;
}

// gamma / standard deviation: Rsqrt(variance), times a constant or not.
struct Gain {
  Moments moments;
  Output gamma;  // empty = 1
};
std::optional<Gain> MatchGain(Output value) {
  Output gamma;
  if (Node* mul = BinaryProducer(value, BinaryKind::Mul)) {
    const WithConstant parts = SplitConstant(mul);
    if (!parts) return std::nullopt;
    gamma = parts.constant;
    value = parts.value;
  }
  Node* rsqrt = UnaryProducer(value, UnaryKind::Rsqrt);
  if (rsqrt == nullptr) return std::nullopt;
  const std::optional<Moments> moments = MatchVariance(rsqrt->input(0));
  if (!moments) return std::nullopt;
  return Gain{*moments, gamma};
}

struct Norm {
  Gain gain;
  Output beta;  // empty = 0
};

// (x - mean) * gain, (x - mean) / Sqrt(variance).
std::optional<Norm> MatchCentred(const Node* node) {
  if (IsBinary(node, BinaryKind::Mul)) {
    for (int slot = 0; slot < 2; ++slot) {
      const std::optional<Gain> gain = MatchGain(node->input(slot));
      if (gain && IsDeviation(node->input(1 - slot), gain->moments)) return Norm{*gain, {}};
    }
  } else if (IsBinary(node, BinaryKind::Div)) {
    Node* sqrt = UnaryProducer(node->input(1), UnaryKind::Sqrt);
    if (!HasSingleUse(sqrt)) return std::nullopt;
    const std::optional<Moments> moments = MatchVariance(sqrt->input(0));
    if (moments && IsDeviation(node->input(0), *moments)) return Norm{{*moments, {}}, {}};
  }
  return std::nullopt;
}

// Is `value` mean * gain, with the same gain that multiplies x?
bool IsMeanTimes(Output value, Output gain, const Moments& moments) {
  const Node* mul = BinaryProducer(value, BinaryKind::Mul);
  return mul != nullptr && OtherInput(mul, gain) == moments.mean;
}

// Is `value` -mean * gain?
bool IsMinusMeanTimes(Output value, Output gain, const Moments& moments) {
  Node* mul = BinaryProducer(value, BinaryKind::Mul);
  if (mul == nullptr) return false;
  const std::optional<Output> minus_mean = OtherInput(mul, gain);
  if (!minus_mean) return false;
  const Product product = FlattenProduct(minus_mean->node);
  return product.scale == -1.0 && product.factors.size() == 1 && product.factors[0] == moments.mean;
}

// The beta of beta - mean * gain, -mean * gain + beta or -mean * gain, where it is empty.
std::optional<Output> MatchShift(Output value, Output gain, const Moments& moments) {
  if (IsMinusMeanTimes(value, gain, moments)) return Output{};
  const Node* sub = BinaryProducer(value, BinaryKind::Sub);
  if (sub != nullptr && ConstantOf(sub->input(0)) != nullptr &&
      IsMeanTimes(sub->input(1), gain, moments))
    return sub->input(0);
  const Node* add = BinaryProducer(value, BinaryKind::Add);
  const WithConstant parts = add != nullptr ? SplitConstant(add) : WithConstant();
  if (parts && IsMinusMeanTimes(parts.value, gain, moments)) return parts.constant;
  return std::nullopt;
}

// x * gain + (beta - mean * gain), or without beta x * gain - mean * gain.
std::optional<Norm> MatchExpanded(const Node* node) {
  const bool sub = IsBinary(node, BinaryKind::Sub);
  if (!sub && !IsBinary(node, BinaryKind::Add)) return std::nullopt;
  for (int slot = 0; slot < (sub ? 1 : 2); ++slot) {
    const Node* scaled = BinaryProducer(node->input(slot), BinaryKind::Mul);
    if (!HasSingleUse(scaled)) continue;
    for (int side = 0; side < 2; ++side) {
      const Output gain_value = scaled->input(side);
      const std::optional<Gain> gain = MatchGain(gain_value);
      if (!gain || scaled->input(1 - side) != gain->moments.x) continue;
      const Output rest = node->input(1 - slot);
      if (sub && IsMeanTimes(rest, gain_value, gain->moments)) return Norm{*gain, {}};
      if (sub) continue;
      if (const auto beta = MatchShift(rest, gain_value, gain->moments)) return Norm{*gain, *beta};
    }
  }
  return std::nullopt;
}

absl::StatusOr<bool> RewriteNorm(Graph& graph, Node* root, const Norm& match) {
  const Output x = match.gain.moments.x;
  const TensorType& type = TypeOf(x);
  if (type != root->type() || !IsF32(x) || type.shape.rank() < 1) return false;
  const std::optional<Output> gamma = ChannelInput(graph, *root, "gamma", match.gain.gamma, 1.0, x);
  if (!gamma) return false;
  const std::optional<Output> beta = ChannelInput(graph, *root, "beta", match.beta, 0.0, x);
  if (!beta) {
    if (gamma->node->NumUses(0) == 0) graph.RemoveNode(gamma->node);
    return false;
  }
  const LayerNormAttrs attrs{match.gain.moments.epsilon};
  return ReplaceWithOp(graph, root, attrs, {x, *gamma, *beta});
}

// LayerNorm(x) * c and LayerNorm(x) + c: into gamma and beta.
bool AbsorbAffine(Graph& graph, Node* node) {
  const bool mul = IsBinary(node, BinaryKind::Mul);
  if (!mul && !IsBinary(node, BinaryKind::Add)) return false;
  const WithConstant parts = SplitConstant(node);
  Node* norm = Producer<LayerNormAttrs>(parts.value);
  if (!HasSingleUse(norm) || norm->type() != node->type()) return false;
  for (int slot : {1, 2})
    if (ConstantOf(norm->input(slot)) == nullptr) return false;
  const auto c = ChannelValues(*ConstantOf(parts.constant), node->type());
  if (!c) return false;
  for (int slot = mul ? 1 : 2; slot <= 2; ++slot) {
    std::vector<double> values = ElementsOf(*ConstantOf(norm->input(slot)));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = mul ? values[i] * (*c)[i] : values[i] + (*c)[i];
    const Constant constant = FloatConstant({static_cast<int64_t>(values.size())}, values);
    Rewire(graph, norm, slot,
           AddConstantLike(graph, *node, slot == 1 ? "gamma" : "beta", constant));
  }
  Absorb(graph, node, norm);
  return true;
}

}  // namespace

absl::StatusOr<int> FuseLayerNorm(Graph& graph, const PassContext& context) {
  if (context.strict()) return 0;
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    for (const auto match : {MatchCentred, MatchExpanded})
      if (const std::optional<Norm> found = match(node)) return RewriteNorm(graph, node, *found);
    return AbsorbAffine(graph, node);
  });
}

}  // namespace linnet::converter
