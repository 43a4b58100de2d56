// SPDX-License-Identifier: Apache-2.0
// conv(x, w) + c  =>  conv(x, w, bias=c);  conv(x, w, b) + c  =>  conv(x, w, b + c)
// also for conv(x, w) - c. For conv-like ops with constant (or no) bias, c a constant per output
// channel (or scalar), conv read once and without output range. An output range of the Add moves to
// the conv. Under strict algebra only where there is no bias yet, because b + c rounds once more.
// Between the conv and the Add there may be a Reshape that splits the channels, as heads of
// attention are: reshape(conv(x, w)) + c.
#include "converter/pass/passes.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"
#include "converter/pass/evaluate_op.h"
#include "runtime/core/checked.h"

namespace linnet::converter {
namespace {

// The first dimension of those at the end of `shape` that together have `channels` elements; -1
// where there is none.
int FirstOfChannels(const Shape& shape, int64_t channels) {
  int64_t elements = 1;
  for (int d = shape.rank() - 1; d >= 0 && elements <= channels; --d) {
    elements = SaturatingMul(elements, shape[d]);
    if (elements == channels) return d;
  }
  return -1;
}

// One value for each channel of `conv`, whose channels `reshape` (may be null) splits; nothing
// where `constant` differs along other dimensions.
std::optional<std::vector<double>> BiasOf(const Graph& graph, const Constant& constant,
                                          const Node* conv, Node* reshape) {
  if (reshape == nullptr) return ChannelValues(constant, conv->type());
  const Shape& shape = reshape->type().shape;
  const int64_t channels = conv->type().shape.back();
  const int first = FirstOfChannels(shape, channels);
  if (first < 0 || channels > kMaxChannels) return std::nullopt;
  if (!graph.ExtentsOf(reshape->input(0)).back().is_constant()) return std::nullopt;
  const SymbolicShapes::Extents extents = graph.ExtentsOf({reshape, 0});
  if (!AllConstant(std::span(extents).subspan(static_cast<size_t>(first)))) return std::nullopt;
  const Shape split(std::span(shape.begin(), shape.end()).subspan(static_cast<size_t>(first)));
  const Shape& given = constant.type.shape;
  const int ones = std::max(0, given.rank() - split.rank());
  for (int d = 0; d < ones; ++d)
    if (given[d] != 1) return std::nullopt;
  Constant values = constant;
  values.type.shape =
      Shape(std::span(given.begin(), given.end()).subspan(static_cast<size_t>(ones)));
  const auto broadcast = EvaluateOp(BroadcastToAttrs{.shape = split}, std::span(&values, 1));
  if (!broadcast.ok()) return std::nullopt;
  return ElementsOf((*broadcast)[0]);
}

}  // namespace

absl::StatusOr<int> FuseBias(Graph& graph, const PassContext& context) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (!node->Is<BinaryAttrs>()) return false;
    const BinaryKind kind = node->attrs<BinaryAttrs>().kind;
    const WithConstant parts = SplitSameType(node);
    const bool sub = kind == BinaryKind::Sub && parts.constant_slot == 1;
    if (!parts || (kind != BinaryKind::Add && !sub)) return false;
    Node* reshape = Producer<ReshapeAttrs>(parts.value);
    if (reshape != nullptr && !HasSingleUse(reshape)) return false;
    Node* conv = reshape != nullptr ? reshape->input(0).node : parts.value.node;
    if (!IsConvLike(conv) || !HasSingleUse(conv) || !RangeOf(conv)->unbounded()) return false;
    const bool had_bias = conv->num_inputs() == 3;
    if (had_bias && (context.strict() || ConstantOf(conv->input(2)) == nullptr)) return false;
    auto bias = BiasOf(graph, *ConstantOf(parts.constant), conv, reshape);
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
    Absorb(graph, node, reshape != nullptr ? reshape : conv);
    return true;
  });
}

}  // namespace linnet::converter
