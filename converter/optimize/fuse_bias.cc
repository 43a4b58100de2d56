// SPDX-License-Identifier: Apache-2.0
// conv(x, w) + c  =>  conv(x, w, bias=c);  conv(x, w, b) + c  =>  conv(x, w, b + c)
// also for conv(x, w) - c. For conv-like ops with constant (or no) bias, c a constant per output
// channel (or scalar), conv read once and without output range. An output range of the Add moves to
// the conv. Under strict algebra only where there is no bias yet, because b + c rounds once more.
#include "converter/pass/passes.h"

#include <vector>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {

absl::StatusOr<int> FuseBias(Graph& graph, const PassContext& context) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (!node->Is<BinaryAttrs>()) return false;
    const BinaryKind kind = node->attrs<BinaryAttrs>().kind;
    const WithConstant parts = SplitSameType(node);
    const bool sub = kind == BinaryKind::Sub && parts.constant_slot == 1;
    if (!parts || (kind != BinaryKind::Add && !sub)) return false;
    Node* conv = parts.value.node;
    if (!IsConvLike(conv) || !HasSingleUse(conv) || !RangeOf(conv)->unbounded()) return false;
    const bool had_bias = conv->num_inputs() == 3;
    if (had_bias && (context.strict() || ConstantOf(conv->input(2)) == nullptr)) return false;
    auto bias = ChannelValues(*ConstantOf(parts.constant), conv->type());
    if (!bias) return false;

    if (sub)
      for (double& value : *bias) value *= -1.0;
    if (had_bias) {
      const std::vector<double> old = ElementsOf(*ConstantOf(conv->input(2)));
      for (size_t i = 0; i < bias->size(); ++i) (*bias)[i] += old[i];
    }
    const Shape shape{conv->type().shape.back()};
    Rewire(graph, conv, 2, AddConstantLike(graph, *node, "bias", FloatConstant(shape, *bias)));
    *MutableRange(conv) = *RangeOf(node);
    Absorb(graph, node, conv);
    return true;
  });
}

}  // namespace linnet::converter
