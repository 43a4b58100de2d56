// SPDX-License-Identifier: Apache-2.0
// Transpose(Transpose(x))                 =>  Transpose(x) with the permutations composed
// Transpose that only moves extents of 1  =>  Reshape
// BatchMatMul(Transpose(a), b)            =>  BatchMatMul(a, b) with the flag, when the Transpose
//                                             swaps the last two dimensions
#include "converter/pass/passes.h"

#include <algorithm>
#include <utility>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

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

// Do the dimensions with another extent than 1 keep their order?
bool MovesOnlyOnes(const Node* transpose) {
  const Shape& shape = TypeOf(transpose->input(0)).shape;
  int64_t last = -1;
  for (int64_t axis : transpose->attrs<TransposeAttrs>().perm) {
    if (shape[static_cast<int>(axis)] == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

// Does it swap the last two dimensions and nothing else?
bool SwapsMatrix(const Node* transpose) {
  Shape perm = transpose->attrs<TransposeAttrs>().perm;
  if (perm.rank() < 2) return false;
  std::swap(perm[perm.rank() - 2], perm[perm.rank() - 1]);
  return std::ranges::is_sorted(perm);
}

bool AbsorbIntoProduct(Graph& graph, Node* product) {
  for (int slot = 0; slot < 2; ++slot) {
    const Node* transpose = Producer<TransposeAttrs>(product->input(slot));
    if (transpose == nullptr || !SwapsMatrix(transpose)) continue;
    auto& attrs = product->mutable_attrs<BatchMatMulAttrs>();
    bool& flag = slot == 0 ? attrs.transpose_a : attrs.transpose_b;
    flag = !flag;
    Rewire(graph, product, slot, transpose->input(0));
    return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<int> SimplifyTranspose(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (node->Is<TransposeAttrs>() && MergeTransposes(graph, node)) return true;
    if (IsNearVarying(graph, *node)) return false;  // what follows looks at the largest extents
    if (node->Is<BatchMatMulAttrs>()) return AbsorbIntoProduct(graph, node);
    if (!node->Is<TransposeAttrs>() || !MovesOnlyOnes(node)) return false;
    return ReplaceWithOp(graph, node, ReshapeAttrs{node->type().shape}, {node->input(0)});
  });
}

}  // namespace linnet::converter
