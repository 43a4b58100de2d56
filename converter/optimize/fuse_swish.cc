// SPDX-License-Identifier: Apache-2.0
// x * Sigmoid(x)  =>  Swish(x)
// Sigmoid must have no other reader. Not under strict algebra.
#include "converter/pass/passes.h"

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {

absl::StatusOr<int> FuseSwish(Graph& graph, const PassContext& context) {
  if (context.strict()) return 0;
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (!IsBinary(node, BinaryKind::Mul)) return false;
    for (int slot = 0; slot < 2; ++slot) {
      Node* sigmoid = UnaryProducer(node->input(slot), UnaryKind::Sigmoid);
      if (!HasSingleUse(sigmoid) || sigmoid->input(0) != node->input(1 - slot)) continue;
      return ReplaceWithOp(graph, node, UnaryAttrs{UnaryKind::Swish}, {sigmoid->input(0)});
    }
    return false;
  });
}

}  // namespace linnet::converter
