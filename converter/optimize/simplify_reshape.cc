// SPDX-License-Identifier: Apache-2.0
// Reshape(Reshape(x))                  =>  Reshape(x)
// Reshape(Reduce(x, keep_dims=a))      =>  Reduce(x, keep_dims=!a), when that has the wanted shape
// Reshape(FullyConnected(Reshape(x)))  =>  FullyConnected(x), when both keep the last dimension
//                                          and the result has the wanted shape
// Reduce over extents of 1 (Sum, Mean, Prod, Max, Min)  =>  Reshape
// Inner nodes need a single reader, except the inner Reshape of the first rule.
#include "converter/pass/passes.h"

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

const TensorType& TypeOf(Output value) { return value.node->type(value.index); }

// Extents with the reduced ones as 1 (keep) or left out.
Shape ReducedShape(const Shape& input, const Shape& axes, bool keep) {
  Shape shape;
  int next = 0;
  for (int i = 0; i < input.rank(); ++i) {
    if (next < axes.rank() && axes[next] == i) {
      ++next;
      if (keep) shape.Append(1);
    } else {
      shape.Append(input[i]);
    }
  }
  return shape;
}

// Reshape(Reduce): the other way to treat the reduced dimensions, when it gives the wanted shape.
bool MoveIntoReduce(Graph& graph, Node* reshape) {
  Node* reduce = Producer<ReduceAttrs>(reshape->input(0));
  if (reduce == nullptr || !HasSingleUse(reduce)) return false;
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
  if (product == nullptr || !HasSingleUse(product)) return false;
  Node* inner = Producer<ReshapeAttrs>(product->input(0));
  if (inner == nullptr || !HasSingleUse(inner)) return false;
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

absl::StatusOr<bool> MergeReshapes(Graph& graph, Node* outer) {
  Node* inner = Producer<ReshapeAttrs>(outer->input(0));
  if (inner == nullptr) return false;
  Rewire(graph, outer, 0, inner->input(0));
  return true;
}

// A reduction over extents of 1 computes nothing.
absl::StatusOr<bool> ReplaceTrivialReduce(Graph& graph, Node* reduce) {
  const auto& attrs = reduce->attrs<ReduceAttrs>();
  if (attrs.kind == ReduceKind::Invalid || attrs.axes.rank() == 0) return false;
  for (int64_t axis : attrs.axes)
    if (TypeOf(reduce->input(0)).shape[static_cast<int>(axis)] != 1) return false;
  absl::StatusOr<Node*> reshape =
      ReplaceWithOp(graph, reduce, ReshapeAttrs{reduce->type().shape}, {reduce->input(0)});
  if (!reshape.ok()) return reshape.status();
  return true;
}

}  // namespace

absl::StatusOr<int> SimplifyReshape(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (IsNearVarying(graph, *node)) return false;
    if (node->Is<ReduceAttrs>()) return ReplaceTrivialReduce(graph, node);
    if (!node->Is<ReshapeAttrs>()) return false;
    if (MoveIntoReduce(graph, node) || UnwrapFullyConnected(graph, node)) return true;
    return MergeReshapes(graph, node);
  });
}

}  // namespace linnet::converter
