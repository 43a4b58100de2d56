// SPDX-License-Identifier: Apache-2.0
// relu(x) + k * min(x, 0)  =>  Prelu(x, k), or LeakyRelu(x, k) when k is one value
// where min(x, 0) may be written as -relu(-x), and k may consist of a Neg and a Mul by a constant:
//   relu(x) + (-a) * relu(-x) (Keras), relu(x) - a * relu(-x), ...
// Maximum(x, k * x), 0 <= k <= 1                =>  the same
// Select(x > 0 or x >= 0, x, k * x)             =>  the same
// The sums are exact up to the sign of zero, Maximum and Select are exact. k is a constant that
// broadcasts to x.
#include "converter/pass/passes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"
#include "runtime/ops/broadcast.h"

namespace linnet::converter {
namespace {

// slope * min(x, 0), or slope * x, where slope = sign * alpha; alpha may be absent (1).
struct Branch {
  Output x;
  Output alpha;  // a constant, or empty
  double sign = 1.0;
};

// Moves one constant factor or sign from `value` to `branch`; false when there is none.
bool PeelFactor(Output* value, Branch* branch) {
  Node* node = value->node;
  if (IsUnary(node, UnaryKind::Neg)) {
    branch->sign = -branch->sign;
    *value = node->input(0);
    return true;
  }
  const WithConstant parts = IsBinary(node, BinaryKind::Mul) ? SplitSameType(node) : WithConstant{};
  if (!parts) return false;
  if (IsSplat(parts.constant, -1.0)) {
    branch->sign = -branch->sign;
  } else if (!branch->alpha) {
    branch->alpha = parts.constant;
  } else {
    return false;
  }
  *value = parts.value;
  return true;
}

// x for -x.
Output MatchNegated(Output value) {
  Branch none;
  Output inner = value;
  if (!value || !PeelFactor(&inner, &none)) return {};
  return none.alpha || none.sign > 0 ? Output{} : inner;
}

// slope * min(x, 0), also written as -slope * relu(-x).
std::optional<Branch> MatchNegativePart(Output value) {
  Branch branch;
  while (PeelFactor(&value, &branch)) {
  }
  if (const Node* clamp = Producer<ClampAttrs>(value)) {
    const OutputRange& range = clamp->attrs<ClampAttrs>().range;
    if (std::isinf(range.min) && range.min < 0 && range.max == 0.0f) {
      branch.x = clamp->input(0);
      return branch;
    }
  }
  const std::optional<Output> relu = MatchRelu(value);
  if (!relu) return std::nullopt;
  branch.x = MatchNegated(*relu);
  if (!branch.x) return std::nullopt;
  branch.sign = -branch.sign;
  return branch;
}

// slope * x.
std::optional<Branch> MatchScaled(Output value, Output x) {
  Branch branch;
  while (value != x)
    if (!PeelFactor(&value, &branch)) return std::nullopt;
  branch.x = x;
  return branch;
}

// relu(x) + branch, relu(x) - branch.
std::optional<Branch> MatchSum(const Node* node) {
  const bool sub = IsBinary(node, BinaryKind::Sub);
  if (!sub && !IsBinary(node, BinaryKind::Add)) return std::nullopt;
  for (int slot = 0; slot < (sub ? 1 : 2); ++slot) {
    const std::optional<Output> x = MatchRelu(node->input(slot));
    if (!x) continue;
    std::optional<Branch> branch = MatchNegativePart(node->input(1 - slot));
    if (!branch || branch->x != *x) continue;
    if (sub) branch->sign = -branch->sign;
    return branch;
  }
  return std::nullopt;
}

std::vector<double> Slopes(const Branch& branch) {
  std::vector<double> slopes{1.0};
  if (branch.alpha) slopes = ElementsOf(*ConstantOf(branch.alpha));
  for (double& slope : slopes) slope *= branch.sign;
  return slopes;
}

// max(x, slope * x) with slopes in [0, 1].
std::optional<Branch> MatchMaximum(const Node* node) {
  if (!IsBinary(node, BinaryKind::Maximum)) return std::nullopt;
  for (int slot = 0; slot < 2; ++slot) {
    std::optional<Branch> branch = MatchScaled(node->input(1 - slot), node->input(slot));
    if (!branch || node->input(1 - slot) == node->input(slot)) continue;
    if (std::ranges::all_of(Slopes(*branch), [](double s) { return s >= 0.0 && s <= 1.0; }))
      return branch;
  }
  return std::nullopt;
}

// Select(x > 0, x, slope * x), Select(x < 0, slope * x, x) and with equality.
std::optional<Branch> MatchSelect(const Node* node) {
  if (!node->Is<SelectAttrs>()) return std::nullopt;
  const Node* compare = Producer<CompareAttrs>(node->input(0));
  if (compare == nullptr || !IsSplat(compare->input(1), 0.0)) return std::nullopt;
  const Output x = compare->input(0);
  const schema::CompareKind kind = compare->attrs<CompareAttrs>().kind;
  const bool above =
      kind == schema::CompareKind::Greater || kind == schema::CompareKind::GreaterEqual;
  const bool below = kind == schema::CompareKind::Less || kind == schema::CompareKind::LessEqual;
  if (!above && !below) return std::nullopt;
  if (node->input(above ? 1 : 2) != x) return std::nullopt;
  if (node->input(above ? 2 : 1) == x) return std::nullopt;
  return MatchScaled(node->input(above ? 2 : 1), x);
}

absl::StatusOr<bool> Rewrite(Graph& graph, Node* root, const Branch& branch) {
  if (TypeOf(branch.x) != root->type() || !IsF32(branch.x)) return false;
  const std::vector<double> slopes = Slopes(branch);
  const Shape shape = branch.alpha ? ConstantOf(branch.alpha)->type.shape : Shape{};
  if (slopes.empty() || !BroadcastsTo(shape, root->type().shape)) return false;
  if (!AllFinite(slopes)) return false;
  if (std::ranges::count(slopes, slopes[0]) == std::ssize(slopes)) {
    const UnaryAttrs leaky{UnaryKind::LeakyRelu, static_cast<float>(slopes[0])};
    return ReplaceWithOp(graph, root, leaky, {branch.x});
  }
  // The constant as it is (and encoded as it is) unless its sign changes.
  const Output alpha = branch.sign > 0
                           ? branch.alpha
                           : AddConstantLike(graph, *root, "alpha", FloatConstant(shape, slopes));
  return ReplaceWithOp(graph, root, PreluAttrs{}, {branch.x, alpha});
}

}  // namespace

absl::StatusOr<int> FusePrelu(Graph& graph, const PassContext&) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (node->node_class() != NodeClass::kOp) return false;
    for (const auto match : {MatchSum, MatchMaximum, MatchSelect})
      if (const std::optional<Branch> branch = match(node)) return Rewrite(graph, node, *branch);
    return false;
  });
}

}  // namespace linnet::converter
