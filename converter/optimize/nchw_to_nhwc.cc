// SPDX-License-Identifier: Apache-2.0
// The legaliser brackets NCHW convolutions and pools with Transposes. This pass moves a Transpose
// that follows an op downwards, through everything that does not care about the order of
// dimensions, until it meets its inverse and both vanish:
//   op(Transpose(x))                   =>  Transpose(op(x))         Unary, Clamp, Cast
//   op(Transpose(x), Transpose(y), c)  =>  Transpose(op(x, y, c'))  Binary, Compare, Select, Prelu,
//                                                                   Concat
//   Pad, Slice, Reduce, Tile           =>  the same with attributes permuted
// Constants are transposed instead. A Transpose moves only if all of its readers can take it (or
// are Transposes themselves, which merge), so the number of Transposes on any path never grows.
#include "converter/pass/passes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "converter/graph/placement_wish.h"
#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"
#include "converter/pass/evaluate_op.h"

namespace linnet::converter {
namespace {

constexpr int kMaxDepth = 4;

const TensorType& TypeOf(Output value) { return value.node->type(value.index); }

// A Transpose by `perm` gives out[i...] with out dimension i = in dimension perm[i].
const Shape& PermOf(const Node* transpose) { return transpose->attrs<TransposeAttrs>().perm; }

Shape Inverse(const Shape& perm) {
  Shape inverse = perm;
  for (int i = 0; i < perm.rank(); ++i) inverse[static_cast<int>(perm[i])] = i;
  return inverse;
}

bool IsTransposedBy(Output value, const Shape& perm) {
  const Node* transpose = Producer<TransposeAttrs>(value);
  return transpose != nullptr && PermOf(transpose) == perm;
}

// Can an input take part as it is, or as a constant that is transposed now?
bool IsBroadcastable(Output value, int rank) {
  const Shape& shape = TypeOf(value).shape;
  return ConstantOf(value) != nullptr ? shape.rank() <= rank
                                      : shape.rank() <= rank && shape.num_elements() == 1;
}

// Could `node`, which reads something transposed by `perm`, run before the Transpose instead? With
// depth > 0 an input counts also when the node behind it can move in turn, so that x * sigmoid(x)
// is not stuck with each of the two waiting for the other.
bool CanMoveUp(const Node* node, const Shape& perm, int depth) {
  if (node->node_class() != NodeClass::kOp) return false;
  if (node->Has(kElementwise)) {
    if (node->type().shape.rank() != perm.rank()) return false;
    bool transposed = false;
    for (int i = 0; i < node->num_inputs(); ++i) {
      const Output input = node->input(i);
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
      for (int i = 0; i < node->num_inputs(); ++i)
        if (!IsTransposedBy(node->input(i), perm) && ConstantOf(node->input(i)) == nullptr)
          return false;
      return true;
    case OpKind::kPad:
    case OpKind::kSlice:
    case OpKind::kTile:
    case OpKind::kReduce:
      return true;
    default:
      return false;
  }
}

// Values per dimension of the transposed tensor, per dimension of the original instead.
Shape Unpermuted(const Shape& values, const Shape& perm) {
  Shape result = values;
  for (int i = 0; i < perm.rank(); ++i) result[static_cast<int>(perm[i])] = values[i];
  return result;
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
    if (std::find(axes.begin(), axes.end(), i) == axes.end()) left.Append(perm[i]);
  Shape behind;
  for (int64_t dim : left)
    behind.Append(std::count_if(left.begin(), left.end(), [dim](int64_t d) { return d < dim; }));
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

bool IsIdentity(const Shape& perm) {
  for (int i = 0; i < perm.rank(); ++i)
    if (perm[i] != i) return false;
  return true;
}

absl::Status MoveUp(Graph& graph, Node* node, const Shape& perm) {
  std::vector<Output> inputs;
  for (int i = 0; i < node->num_inputs(); ++i) {
    absl::StatusOr<Output> input = Untransposed(graph, *node, node->input(i), perm);
    if (!input.ok()) return input.status();
    inputs.push_back(*input);
  }
  absl::StatusOr<Node*> moved =
      graph.AddOp(graph.UniqueName(node->name() + "/nhwc"), MovedAttrs(node, perm), inputs);
  if (!moved.ok()) return moved.status();
  StandFor(*node, *moved);
  const Shape behind = PermBehind(node, perm);
  if (IsIdentity(behind)) {
    Replace(graph, node, {*moved, 0});
    return absl::OkStatus();
  }
  return ReplaceWithOp(graph, node, TransposeAttrs{behind}, {Output{*moved, 0}}).status();
}

}  // namespace

absl::StatusOr<int> NchwToNhwc(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* transpose) -> absl::StatusOr<bool> {
    if (IsNearVarying(graph, *transpose)) return false;
    if (!transpose->Is<TransposeAttrs>()) return false;
    const Shape perm = PermOf(transpose);
    std::vector<int> readers;
    for (const Edge* edge : transpose->Uses()) {
      if (edge->dst->Is<TransposeAttrs>()) continue;
      if (!CanMoveUp(edge->dst, perm, kMaxDepth)) return false;
      if (!CanMoveUp(edge->dst, perm, 0)) continue;  // its other input has to move first
      if (std::find(readers.begin(), readers.end(), edge->dst->id()) == readers.end())
        readers.push_back(edge->dst->id());
    }
    for (int id : readers)
      if (absl::Status status = MoveUp(graph, graph.FindNodeId(id), perm); !status.ok())
        return status;
    return !readers.empty();
  });
}

}  // namespace linnet::converter
