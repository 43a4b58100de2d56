// SPDX-License-Identifier: Apache-2.0
// op(x)  =>  x where op returns its input unchanged:
//   x * 1, x / 1, x ** 1, x + 0, x - 0, x && true, x || false; Select with a constant condition;
//   Clamp without bounds, or with bounds that the output range of its producer keeps already;
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

// The value of all elements of an f32 constant, or of the only element of any other; else empty.
std::optional<double> Uniform(Output value) {
  if (const std::optional<float> splat = Splat(value)) return *splat;
  const Constant* constant = ConstantOf(value);
  if (constant == nullptr || constant->type.shape.num_elements() != 1) return std::nullopt;
  return constant->ScalarValue();
}

// Does the op return its other input when the one on the right (or left) is `c`?
bool IsNeutral(BinaryKind kind, double c, bool on_right, bool inexact_ok) {
  switch (kind) {
    case BinaryKind::Mul:
      return c == 1.0;
    case BinaryKind::Div:
    case BinaryKind::Pow:
      return on_right && c == 1.0;
    case BinaryKind::Add:
      return c == 0.0 && (inexact_ok || std::signbit(c));
    case BinaryKind::Sub:
      return on_right && c == 0.0 && (inexact_ok || !std::signbit(c));
    case BinaryKind::LogicalAnd:
      return c != 0.0;
    case BinaryKind::LogicalOr:
      return c == 0.0;
    default:
      return false;
  }
}

// The input that a binary op returns as it is.
Output NeutralInput(const Node* node, const PassContext& context) {
  const auto& attrs = node->attrs<BinaryAttrs>();
  const WithConstant parts = SplitConstant(node);
  if (!parts || !attrs.range.unbounded()) return {};
  const std::optional<double> c = Uniform(parts.constant);
  const bool inexact_ok = !context.strict() || !IsF32(parts.value);
  return c && IsNeutral(attrs.kind, *c, parts.constant_slot == 1, inexact_ok) ? parts.value
                                                                              : Output{};
}

bool AllEqual(const Shape& shape, int64_t value) {
  return std::ranges::count(shape, value) == shape.rank();
}

bool IsRedundantClamp(const Node* node) {
  const OutputRange& range = node->attrs<ClampAttrs>().range;
  if (range.unbounded()) return true;
  const OutputRange* inner = RangeOf(node->input(0).node);
  return inner != nullptr && Compose(*inner, range) == *inner;
}

// The input that `node` returns unchanged if it has the type of the result, which the caller
// checks.
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
      return std::ranges::is_sorted(node->attrs<TransposeAttrs>().perm) ? x : Output{};
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
    if (!copied || TypeOf(copied) != node->type() || !graph.SameShape(copied, {node, 0}))
      return false;
    Replace(graph, node, copied);
    return true;
  });
}

}  // namespace linnet::converter
