// SPDX-License-Identifier: Apache-2.0
// conv(x, w) + c  =>  conv(x, w, bias=c);  conv(x, w, b) + c  =>  conv(x, w, b + c)
// for conv-like ops with constant (or no) bias, c a constant per output channel (or scalar), conv
// read once and without output range. An output range of the Add moves to the conv. Under strict
// algebra only where there is no bias yet: where a kernel adds its bias is its own business, while
// b + c rounds.
#include "converter/pass/passes.h"

#include <vector>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

struct Bias {
  Node* conv = nullptr;
  const Constant* constant = nullptr;
  double sign = 1.0;
};

// conv + c, c + conv, conv - c.
Bias MatchBias(const Node* node) {
  if (!node->Is<BinaryAttrs>()) return {};
  const BinaryKind kind = node->attrs<BinaryAttrs>().kind;
  const WithConstant parts = SplitConstant(node);
  if (!parts || !IsConvLike(parts.value.node)) return {};
  if (kind == BinaryKind::Sub && parts.constant_slot == 1)
    return {parts.value.node, ConstantOf(parts.constant), -1.0};
  if (kind == BinaryKind::Add) return {parts.value.node, ConstantOf(parts.constant), 1.0};
  return {};
}

}  // namespace

absl::StatusOr<int> FuseBias(Graph& graph, const PassContext& context) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    const Bias bias = MatchBias(node);
    Node* conv = bias.conv;
    if (conv == nullptr || !HasSingleUse(conv) || conv->type() != node->type()) return false;
    if (!RangeOf(conv)->unbounded() || !HasFewPerChannel(*bias.constant, conv->type()))
      return false;
    const bool had_bias = conv->num_inputs() == 3;
    if (had_bias && (context.strict() || ConstantOf(conv->input(2)) == nullptr)) return false;

    std::vector<double> sum = PerChannel(*bias.constant, conv->type());
    for (double& value : sum) value *= bias.sign;
    if (had_bias) {
      const std::vector<double> old = ElementsOf(*ConstantOf(conv->input(2)));
      for (size_t i = 0; i < sum.size(); ++i) sum[i] += old[i];
    }
    const Shape shape{conv->type().shape.back()};
    Rewire(graph, conv, 2, AddConstantLike(graph, *node, "bias", FloatConstant(shape, sum)));
    *MutableRange(conv) = *RangeOf(node);
    Absorb(graph, node, conv);
    return true;
  });
}

}  // namespace linnet::converter
