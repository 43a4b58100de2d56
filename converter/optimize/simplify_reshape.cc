// SPDX-License-Identifier: Apache-2.0
// Reshape(Reshape(x))                  =>  Reshape(x)
// Reshape(Reduce(x, keep_dims=a))      =>  Reduce(x, keep_dims=!a), when that has the wanted shape
// Reshape(FullyConnected(Reshape(x)))  =>  FullyConnected(x), when both keep the last dimension
//                                          and the result has the wanted shape
// Reduce over extents of 1 (Sum, Mean, Prod, Max, Min)  =>  Reshape
// Inner nodes need a single reader, except the inner Reshape of the first rule.
#include "converter/pass/passes.h"

#include <algorithm>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

// Extents with the reduced ones as 1 (keep) or left out.
Shape ReducedShape(const Shape& input, const Shape& axes, bool keep) {
  Shape shape;
  for (int i = 0; i < input.rank(); ++i) {
    const bool reduced = std::ranges::count(axes, i) > 0;
    if (!reduced || keep) shape.Append(reduced ? 1 : input[i]);
  }
  return shape;
}

// Reshape(Reduce): the other way to treat the reduced dimensions, when it gives the wanted shape.
bool MoveIntoReduce(Graph& graph, Node* reshape) {
  Node* reduce = Producer<ReduceAttrs>(reshape->input(0));
  if (!HasSingleUse(reduce)) return false;
  auto& attrs = reduce->mutable_attrs<ReduceAttrs>();
  const Shape other = ReducedShape(TypeOf(reduce->input(0)).shape, attrs.axes, !attrs.keep_dims);
  if (other != reshape->type().shape) return false;
  attrs.keep_dims = !attrs.keep_dims;
  reduce->set_type(0, reshape->type());
  Absorb(graph, reshape, reduce);
  return true;
}

// Reshape(FullyConnected(Reshape(x))): the product works on any leading dimensions.
bool UnwrapFullyConnected(Graph& graph, Node* reshape) {
  Node* product = Producer<FullyConnectedAttrs>(reshape->input(0));
  if (!HasSingleUse(product)) return false;
  Node* inner = Producer<ReshapeAttrs>(product->input(0));
  if (!HasSingleUse(inner)) return false;
  const Shape& x = TypeOf(inner->input(0)).shape;
  if (x.rank() == 0 || x.back() != inner->type().shape.back()) return false;
  Shape wanted = x;
  wanted[x.rank() - 1] = product->type().shape.back();
  if (wanted != reshape->type().shape) return false;
  Rewire(graph, product, 0, inner->input(0));
  product->set_type(0, reshape->type());
  Absorb(graph, reshape, product);
  return true;
}

bool MergeReshapes(Graph& graph, Node* outer) {
  Node* inner = Producer<ReshapeAttrs>(outer->input(0));
  if (inner == nullptr) return false;
  Rewire(graph, outer, 0, inner->input(0));
  return true;
}

// A reduction over extents of 1 only changes the shape.
absl::StatusOr<bool> ReplaceTrivialReduce(Graph& graph, Node* reduce) {
  const auto& attrs = reduce->attrs<ReduceAttrs>();
  if (attrs.kind == ReduceKind::Invalid || attrs.axes.rank() == 0) return false;
  for (int64_t axis : attrs.axes)
    if (TypeOf(reduce->input(0)).shape[static_cast<int>(axis)] != 1) return false;
  return ReplaceWithOp(graph, reduce, ReshapeAttrs{reduce->type().shape}, {reduce->input(0)});
}

}  // namespace

absl::StatusOr<int> SimplifyReshape(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (IsNearVarying(graph, *node)) return false;
    if (node->Is<ReduceAttrs>()) return ReplaceTrivialReduce(graph, node);
    return node->Is<ReshapeAttrs>() &&
           (MoveIntoReduce(graph, node) || UnwrapFullyConnected(graph, node) ||
            MergeReshapes(graph, node));
  });
}

}  // namespace linnet::converter
