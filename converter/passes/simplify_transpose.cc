// SPDX-License-Identifier: Apache-2.0
#include "converter/passes/simplify_transpose.h"

#include "converter/passes/match.h"
#include "converter/passes/rewrite.h"

namespace linnet::converter {
namespace {

bool MergeTransposes(Graph& graph, Node* outer) {
  Node* inner = Producer<TransposeAttrs>(outer->input(0));
  if (inner == nullptr) return false;
  const Shape& first = inner->attrs<TransposeAttrs>().perm;
  Shape perm = outer->attrs<TransposeAttrs>().perm;
  for (int i = 0; i < perm.rank(); ++i) perm[i] = first[static_cast<int>(perm[i])];
  outer->mutable_attrs<TransposeAttrs>().perm = perm;
  Rewire(graph, outer, 0, inner->input(0));
  return true;
}

// Do the dimensions that matter (extent not 1) keep their order?
bool MovesOnlyOnes(const Node* transpose) {
  const Output input = transpose->input(0);
  const Shape& shape = input.node->type(input.index).shape;
  int64_t last = -1;
  for (int64_t axis : transpose->attrs<TransposeAttrs>().perm) {
    if (shape[static_cast<int>(axis)] == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

}  // namespace

absl::StatusOr<int> SimplifyTranspose(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (!node->Is<TransposeAttrs>()) return false;
    if (MergeTransposes(graph, node)) return true;
    if (!MovesOnlyOnes(node)) return false;
    absl::StatusOr<Node*> reshape =
        ReplaceWithOp(graph, node, ReshapeAttrs{node->type().shape}, {node->input(0)});
    if (!reshape.ok()) return reshape.status();
    return true;
  });
}

}  // namespace linnet::converter
