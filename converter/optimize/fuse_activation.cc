// SPDX-License-Identifier: Apache-2.0
// Clamp(op(x))     =>  op(x, range)  for ops with an output range, when nothing else reads op
// Clamp(Clamp(x))  =>  Clamp(x)      by the same rule: Clamp has a range as well
// Exact.
#include "converter/pass/passes.h"

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {

absl::StatusOr<int> FuseActivation(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (!node->Is<ClampAttrs>()) return false;
    Node* producer = node->input(0).node;
    OutputRange* range = MutableRange(producer);
    if (range == nullptr || !HasSingleUse(producer)) return false;
    *range = Compose(*range, node->attrs<ClampAttrs>().range);
    Absorb(graph, node, producer);
    return true;
  });
}

}  // namespace linnet::converter
