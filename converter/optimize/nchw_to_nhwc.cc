// SPDX-License-Identifier: Apache-2.0
// The legaliser puts a Transpose before and after each NCHW convolution and pool. This pass moves a
// Transpose downstream, through ops that work in any order of dimensions, until it meets its
// inverse and simplify_transpose and drop_copies remove both:
//   op(Transpose(x))                   =>  Transpose(op(x))         Unary, Clamp, Cast
//   op(Transpose(x), Transpose(y), c)  =>  Transpose(op(x, y, c'))  Binary, Compare, Select, Prelu,
//                                                                   Concat
//   Pad, Slice, Reduce, Tile           =>  the same with attributes permuted
// c' is the constant c, transposed back. A Transpose moves only if it can move past all of its
// readers (or they are Transposes themselves, which merge), so the number of Transposes on any path
// never grows.
#include "converter/pass/passes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"
#include "converter/pass/evaluate_op.h"

namespace linnet::converter {
namespace {

constexpr int kMaxDepth = 4;

// A Transpose by `perm` gives out[i...] with out dimension i = in dimension perm[i].
const Shape& PermOf(const Node* transpose) { return transpose->attrs<TransposeAttrs>().perm; }

// Values per dimension of the transposed tensor, per dimension of the original instead.
Shape Unpermuted(const Shape& values, const Shape& perm) {
  Shape result = values;
  for (int i = 0; i < perm.rank(); ++i) result[static_cast<int>(perm[i])] = values[i];
  return result;
}

Shape Inverse(const Shape& perm) {
  Shape inverse = perm;
  for (int i = 0; i < perm.rank(); ++i) inverse[static_cast<int>(perm[i])] = i;
  return inverse;
}

bool IsTransposedBy(Output value, const Shape& perm) {
  const Node* transpose = Producer<TransposeAttrs>(value);
  return transpose != nullptr && PermOf(transpose) == perm;
}

// Can the moved op read `value` as it is (one element), or transposed at once (a constant)?
bool IsBroadcastable(Output value, int rank) {
  const Shape& shape = TypeOf(value).shape;
  return shape.rank() <= rank && (ConstantOf(value) != nullptr || shape.num_elements() == 1);
}

// Could `node`, which reads something transposed by `perm`, run before the Transpose instead? With
// depth > 0 an input counts also when its producer can move first. Otherwise nothing would move in
// x * sigmoid(x), as the product needs both inputs transposed.
bool CanMoveUp(const Node* node, const Shape& perm, int depth) {
  if (node->node_class() != NodeClass::kOp) return false;
  if (node->Has(kElementwise)) {
    if (node->type().shape.rank() != perm.rank()) return false;
    bool transposed = false;
    for (const Output input : node->inputs()) {
      if (IsTransposedBy(input, perm) ||
          (depth > 0 && input.node->Has(kElementwise) && CanMoveUp(input.node, perm, depth - 1))) {
        transposed = true;
      } else if (!IsBroadcastable(input, perm.rank())) {
        return false;
      }
    }
    return transposed;
  }
  switch (node->kind()) {
    case OpKind::kConcat:
      return std::ranges::all_of(node->inputs(), [&perm](Output input) {
        return IsTransposedBy(input, perm) || ConstantOf(input) != nullptr;
      });
    case OpKind::kPad:
    case OpKind::kSlice:
    case OpKind::kTile:
    case OpKind::kReduce:
      return true;
    default:
      return false;
  }
}

OpAttrs MovedAttrs(const Node* node, const Shape& perm) {
  switch (node->kind()) {
    case OpKind::kConcat: {
      auto attrs = node->attrs<ConcatAttrs>();
      attrs.axis = static_cast<int>(perm[attrs.axis]);
      return attrs;
    }
    case OpKind::kPad: {
      auto attrs = node->attrs<PadAttrs>();
      attrs.before = Unpermuted(attrs.before, perm);
      attrs.after = Unpermuted(attrs.after, perm);
      return attrs;
    }
    case OpKind::kSlice: {
      auto attrs = node->attrs<SliceAttrs>();
      attrs.begin = Unpermuted(attrs.begin, perm);
      attrs.size = Unpermuted(attrs.size, perm);
      attrs.stride = Unpermuted(attrs.stride, perm);
      return attrs;
    }
    case OpKind::kTile:
      return TileAttrs{Unpermuted(node->attrs<TileAttrs>().multiples, perm)};
    case OpKind::kReduce: {
      auto attrs = node->attrs<ReduceAttrs>();
      for (int i = 0; i < attrs.axes.rank(); ++i)
        attrs.axes[i] = perm[static_cast<int>(attrs.axes[i])];
      std::sort(&attrs.axes[0], &attrs.axes[0] + attrs.axes.rank());
      return attrs;
    }
    default:
      return node->attrs();
  }
}

// The permutation behind the moved op: perm, or what a reduction leaves of it.
Shape PermBehind(const Node* node, const Shape& perm) {
  if (!node->Is<ReduceAttrs>() || node->attrs<ReduceAttrs>().keep_dims) return perm;
  const Shape& axes = node->attrs<ReduceAttrs>().axes;
  Shape left;  // original dimensions that remain, in the order of the transposed tensor
  for (int i = 0; i < perm.rank(); ++i)
    if (std::ranges::count(axes, i) == 0) left.Append(perm[i]);
  Shape behind;
  for (int64_t dim : left)
    behind.Append(std::ranges::count_if(left, [dim](int64_t d) { return d < dim; }));
  return behind;
}

// `value`, which broadcasts against a transposed tensor, for use against the original.
absl::StatusOr<Output> Untransposed(Graph& graph, const Node& user, Output value,
                                    const Shape& perm) {
  if (IsTransposedBy(value, perm)) return value.node->input(0);
  const Constant* constant = ConstantOf(value);
  if (constant == nullptr || constant->type.shape.num_elements() == 1) return value;
  Constant expanded = *constant;
  expanded.type.shape = {};
  for (int i = constant->type.shape.rank(); i < perm.rank(); ++i) expanded.type.shape.Append(1);
  for (int64_t dim : constant->type.shape) expanded.type.shape.Append(dim);
  absl::StatusOr<std::vector<Constant>> moved =
      EvaluateOp(TransposeAttrs{Inverse(perm)}, {&expanded, 1});
  if (!moved.ok()) return moved.status();
  return AddConstantLike(graph, user, "nhwc", std::move((*moved)[0]));
}

absl::Status MoveUp(Graph& graph, Node* node, const Shape& perm) {
  std::vector<Output> inputs = node->inputs();
  for (Output& input : inputs) {
    absl::StatusOr<Output> untransposed = Untransposed(graph, *node, input, perm);
    if (!untransposed.ok()) return untransposed.status();
    input = *untransposed;
  }
  absl::StatusOr<Output> moved = AddOpLike(graph, *node, "nhwc", MovedAttrs(node, perm), inputs);
  if (!moved.ok()) return moved.status();
  const Shape behind = PermBehind(node, perm);
  if (!std::ranges::is_sorted(behind))
    return ReplaceWithOp(graph, node, TransposeAttrs{behind}, {*moved}).status();
  Replace(graph, node, *moved);  // the permutation moves nothing
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<int> NchwToNhwc(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* transpose) -> absl::StatusOr<bool> {
    if (!transpose->Is<TransposeAttrs>() || IsNearVarying(graph, *transpose)) return false;
    const Shape perm = PermOf(transpose);
    std::vector<int> readers;
    for (const Edge* edge : transpose->Uses()) {
      if (edge->dst->Is<TransposeAttrs>()) continue;
      if (!CanMoveUp(edge->dst, perm, kMaxDepth)) return false;
      if (!CanMoveUp(edge->dst, perm, 0)) continue;  // its other input has to move first
      if (std::ranges::count(readers, edge->dst->id()) == 0) readers.push_back(edge->dst->id());
    }
    for (int id : readers)
      if (absl::Status status = MoveUp(graph, graph.FindNodeId(id), perm); !status.ok())
        return status;
    return !readers.empty();
  });
}

}  // namespace linnet::converter
