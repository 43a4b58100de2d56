// SPDX-License-Identifier: Apache-2.0
// op(x)  =>  x where op gives its input unchanged:
//   x * 1, x / 1, x ** 1, x + 0, x - 0, x && true, x || false; Select with a constant condition;
//   Clamp without bounds, or within the range that its producer keeps already;
//   Cast to the same dtype; Resize, BroadcastTo, Reshape, Slice to the same shape; Pad by nothing;
//   Tile by ones; Transpose that moves nothing; Reduce over no axis; Concat of one;
//   DepthToSpace and SpaceToDepth by 1.
// The type must stay the same. x + (+0.0) turns -0.0 into 0.0, so strict algebra keeps it (x - 0.0
// and x + (-0.0) are exact).
#include "converter/pass/passes.h"

#include <algorithm>
#include <cmath>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

// The value of all elements of a constant of any dtype, as double; empty when they differ.
std::optional<double> Uniform(Output value) {
  if (const std::optional<float> splat = Splat(value)) return *splat;
  const Constant* constant = ConstantOf(value);
  if (constant == nullptr || constant->type.shape.num_elements() != 1) return std::nullopt;
  return constant->ScalarValue();
}

// The input that a binary op returns as it is.
Output NeutralInput(const Node* node, const PassContext& context) {
  const auto& attrs = node->attrs<BinaryAttrs>();
  const WithConstant parts = SplitConstant(node);
  if (!parts || !attrs.range.unbounded()) return {};
  const std::optional<double> c = Uniform(parts.constant);
  if (!c.has_value()) return {};
  const bool on_right = parts.constant_slot == 1;
  const bool inexact_ok = !context.strict() || !IsF32(parts.value);
  bool neutral = false;
  switch (attrs.kind) {
    case BinaryKind::Mul:
      neutral = *c == 1.0;
      break;
    case BinaryKind::Div:
    case BinaryKind::Pow:
      neutral = on_right && *c == 1.0;
      break;
    case BinaryKind::Add:
      neutral = *c == 0.0 && (inexact_ok || std::signbit(*c));
      break;
    case BinaryKind::Sub:
      neutral = on_right && *c == 0.0 && (inexact_ok || !std::signbit(*c));
      break;
    case BinaryKind::LogicalAnd:
      neutral = *c != 0.0;
      break;
    case BinaryKind::LogicalOr:
      neutral = *c == 0.0;
      break;
    default:
      break;
  }
  return neutral ? parts.value : Output{};
}

bool AllEqual(const Shape& shape, int64_t value) {
  return std::all_of(shape.begin(), shape.end(), [value](int64_t d) { return d == value; });
}

bool IsIdentityPermutation(const Shape& perm) {
  for (int i = 0; i < perm.rank(); ++i)
    if (perm[i] != i) return false;
  return true;
}

bool IsRedundantClamp(const Node* node) {
  const OutputRange& range = node->attrs<ClampAttrs>().range;
  if (range.unbounded()) return true;
  const OutputRange* inner = RangeOf(node->input(0).node);
  return inner != nullptr && Compose(*inner, range) == *inner;
}

// The input that `node` gives unchanged; the caller compares types.
Output CopiedInput(const Node* node, const PassContext& context) {
  const Output x = node->input(0);
  switch (node->kind()) {
    case OpKind::kBinary:
      return NeutralInput(node, context);
    case OpKind::kClamp:
      return IsRedundantClamp(node) ? x : Output{};
    case OpKind::kSelect: {
      const std::optional<double> condition = Uniform(x);
      return condition ? node->input(*condition != 0.0 ? 1 : 2) : Output{};
    }
    case OpKind::kTranspose:
      return IsIdentityPermutation(node->attrs<TransposeAttrs>().perm) ? x : Output{};
    case OpKind::kReduce:
      return node->attrs<ReduceAttrs>().axes.rank() == 0 ? x : Output{};
    case OpKind::kConcat:
      return node->num_inputs() == 1 ? x : Output{};
    case OpKind::kSlice:  // the same shape, but perhaps reversed
      return AllEqual(node->attrs<SliceAttrs>().begin, 0) &&
                     AllEqual(node->attrs<SliceAttrs>().stride, 1)
                 ? x
                 : Output{};
    case OpKind::kCast:
    case OpKind::kResize:
    case OpKind::kPad:
    case OpKind::kTile:
    case OpKind::kBroadcastTo:
    case OpKind::kReshape:
    case OpKind::kDepthToSpace:
    case OpKind::kSpaceToDepth:
      return x;  // a copy whenever the type stays the same
    default:
      return {};
  }
}

}  // namespace

absl::StatusOr<int> DropCopies(Graph& graph, const PassContext& context) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (node->node_class() != NodeClass::kOp || node->num_outputs() != 1) return false;
    const Output copied = CopiedInput(node, context);
    if (!copied || copied.node->type(copied.index) != node->type() ||
        !graph.SameShape(copied, {node, 0}))
      return false;
    Replace(graph, node, copied);
    return true;
  });
}

}  // namespace linnet::converter
