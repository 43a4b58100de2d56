// SPDX-License-Identifier: Apache-2.0
// MaxPool(x + t)      =>  MaxPool(x) + t        (t one value or one per channel)
// AveragePool(x + t)  =>  AveragePool(x) + t
// so that fewer elements are added to, and often none: a FullyConnected or a convolution without
// padding behind the pool takes t into its bias (fold_batch_norm), and the scale of a batch norm is
// next to the convolution in front. No pool counts its padding. Only the pool may read the sum. An
// output range of the pool becomes one of the addition. An average rounds differently, and a
// maximum of zeros may have another sign, so not under strict algebra.
#include "converter/pass/passes.h"

#include <utility>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

absl::StatusOr<bool> SinkShift(Graph& graph, Node* pool) {
  Node* add = pool->input(0).node;
  if (!IsF32(pool->input(0)) || !IsBinary(add, BinaryKind::Add) || !HasSingleUse(add)) return false;
  const WithConstant parts = SplitSameType(add);
  if (!parts || !IsPerChannel(*ConstantOf(parts.constant), add->type())) return false;
  Pool2DAttrs attrs = pool->attrs<Pool2DAttrs>();
  const OutputRange range = std::exchange(attrs.range, {});
  const absl::StatusOr<Output> pooled = AddOpLike(graph, *pool, "pool", attrs, {parts.value});
  if (!pooled.ok()) return pooled.status();
  return ReplaceWithOp(graph, pool, BinaryAttrs{.kind = BinaryKind::Add, .range = range},
                       {*pooled, parts.constant});
}

}  // namespace

absl::StatusOr<int> SinkShift(Graph& graph, const PassContext& context) {
  if (context.strict()) return 0;
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    return node->Is<Pool2DAttrs>() ? SinkShift(graph, node) : false;
  });
}

}  // namespace linnet::converter
