// SPDX-License-Identifier: Apache-2.0
// A chain of x + c, x - c, c - x, x * c, x / c, -x (f32, c a scalar or one value per channel, inner
// nodes read once) becomes x * s, x + t or x * s + t, with s and t computed in double and rounded
// once. Rewrites when the result has fewer nodes, or as many but Add and Mul, which other passes
// and kernels know, instead of Sub, Div and Neg.
// Strict algebra: only x - c => x + (-c) and x / 2^k => x * 2^-k, which are exact.
#include "converter/pass/passes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "converter/graph/placement_wish.h"
#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

// x * scale + shift per channel; vectors of one element stand for all channels.
struct Affine {
  Output x;
  std::vector<double> scale{1.0}, shift{0.0};
};

// a[i] = f(a[i], b[i]) for each channel i.
template <typename Function>
void Combine(std::vector<double>& a, const std::vector<double>& b, Function f) {
  if (a.size() < b.size()) a.resize(b.size(), a[0]);
  for (size_t i = 0; i < a.size(); ++i) a[i] = f(a[i], b[b.size() == 1 ? 0 : i]);
}

// `node` as one affine step over a tensor of its own type.
std::optional<Affine> MatchStep(const Node* node) {
  if (IsUnary(node, UnaryKind::Neg) && IsF32(node->input(0)))
    return Affine{node->input(0), {-1.0}, {0.0}};
  if (!node->Is<BinaryAttrs>() || !RangeOf(node)->unbounded()) return std::nullopt;
  const WithConstant parts = SplitSameType(node);
  if (!parts) return std::nullopt;
  const Constant& constant = *ConstantOf(parts.constant);
  if (!IsPerChannel(constant, node->type())) return std::nullopt;
  std::vector<double> c = ElementsOf(constant);
  if (c.empty()) return std::nullopt;
  const bool on_right = parts.constant_slot == 1;
  switch (node->attrs<BinaryAttrs>().kind) {
    case BinaryKind::Add:
      return Affine{.x = parts.value, .shift = std::move(c)};
    case BinaryKind::Sub:
      if (!on_right) return Affine{parts.value, {-1.0}, std::move(c)};
      for (double& shift : c) shift = -shift;  // keeps the sign of zero: x - 0 = x + -0
      return Affine{.x = parts.value, .shift = std::move(c)};
    case BinaryKind::Mul:
      return Affine{.x = parts.value, .scale = std::move(c)};
    case BinaryKind::Div:
      if (!on_right) return std::nullopt;
      for (double& scale : c) scale = 1.0 / scale;
      return Affine{.x = parts.value, .scale = std::move(c)};
    default:
      return std::nullopt;
  }
}

bool AllRoundTo(const std::vector<double>& values, float want) {
  return std::ranges::all_of(values, [want](double v) { return static_cast<float>(v) == want; });
}

bool AllRoundToFinite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(static_cast<float>(v)); });
}

// Is 1 / value exact (a power of two whose reciprocal is a normal number)?
bool IsExactReciprocal(double value) {
  int exponent;
  return std::abs(std::frexp(value, &exponent)) == 0.5 && std::abs(exponent) < 120;
}

// Is the step a Sub or Div that an Add or Mul can replace without changing a bit?
bool IsExactStep(const Node* node) {
  if (IsBinary(node, BinaryKind::Sub)) return SplitConstant(node).constant_slot == 1;
  return IsBinary(node, BinaryKind::Div) &&
         std::ranges::all_of(ElementsOf(*ConstantOf(node->input(1))), IsExactReciprocal);
}

bool IsAddOrMul(const Node* node) {
  return IsBinary(node, BinaryKind::Add) || IsBinary(node, BinaryKind::Mul);
}

// Is this step part of a chain that ends further down? Then merging it alone would only round once
// more.
bool IsInnerStep(const Node* node) {
  if (!HasSingleUse(node)) return false;
  const Node* next = node->Uses(0)[0]->dst;
  return next->node_class() == NodeClass::kOp && next->type() == node->type() &&
         MatchStep(next).has_value();
}

struct Chain : Affine {
  std::vector<const Node*> nodes;  // last step first
};

Chain CollectChain(Node* last, Affine step, bool strict) {
  Chain chain{std::move(step), {last}};
  while (!strict) {
    const Node* node = chain.x.node;
    if (!HasSingleUse(node) || node->type() != last->type()) break;
    std::optional<Affine> inner = MatchStep(node);
    if (!inner) break;
    // (x * s1 + t1) * s2 + t2 = x * (s1 s2) + (t1 s2 + t2)
    Combine(inner->shift, chain.scale, std::multiplies());
    Combine(inner->shift, chain.shift, std::plus());
    Combine(chain.scale, inner->scale, std::multiplies());
    chain.shift = std::move(inner->shift);
    chain.x = inner->x;
    chain.nodes.push_back(node);
  }
  return chain;
}

// x * values or x + values.
absl::StatusOr<Output> Emit(Graph& graph, const Node& like, BinaryKind kind, Output x,
                            const std::vector<double>& values) {
  const bool mul = kind == BinaryKind::Mul;
  const Shape shape = values.size() == 1 ? Shape{} : Shape{static_cast<int64_t>(values.size())};
  const Output constant =
      AddConstantLike(graph, like, mul ? "scale" : "shift", FloatConstant(shape, values));
  absl::StatusOr<Node*> node = graph.AddOp(graph.UniqueName(like.name() + (mul ? "/mul" : "/add")),
                                           BinaryAttrs{.kind = kind}, {x, constant});
  if (!node.ok()) return node.status();
  return Output{*node, 0};
}

// Numbers that say how large tensors are, such as a height / 7, are computed as they are written:
// rounded another way, 21 / 7 is not 3.
bool IsOfIntegers(Output x) {
  while (x.node->node_class() == NodeClass::kOp && x.node->num_inputs() == 1 &&
         (x.node->Has(kMovesElements) || x.node->Is<SliceAttrs>()))
    x = x.node->input(0);
  if (!x.node->Is<CastAttrs>()) return false;
  const Output from = x.node->input(0);
  return IsInteger(from.node->type(from.index).dtype) &&
         from.node->type(from.index).shape.num_elements() <= kMaxRank;
}

absl::StatusOr<bool> RewriteChain(Graph& graph, Node* last, const Chain& chain, bool strict) {
  if (IsOfIntegers(chain.x)) return false;
  const bool has_scale = !AllRoundTo(chain.scale, 1.0f);
  const bool has_shift = !AllRoundTo(chain.shift, 0.0f);
  const size_t needed = has_scale + has_shift;
  const bool fewer = needed < chain.nodes.size();
  const bool simpler =
      needed == chain.nodes.size() && !std::ranges::all_of(chain.nodes, IsAddOrMul);
  if (!fewer && !simpler) return false;
  if (strict && needed == 0) return false;  // x - (-0.0) is not x
  if (!AllRoundToFinite(chain.scale) || !AllRoundToFinite(chain.shift)) return false;
  Output result = chain.x;
  if (has_scale) {
    absl::StatusOr<Output> mul = Emit(graph, *last, BinaryKind::Mul, result, chain.scale);
    if (!mul.ok()) return mul.status();
    result = *mul;
  }
  if (has_shift) {
    absl::StatusOr<Output> add = Emit(graph, *last, BinaryKind::Add, result, chain.shift);
    if (!add.ok()) return add.status();
    if (has_scale)
      for (const Node* node : chain.nodes) StandFor(*node, result.node);
    result = *add;
  }
  Replace(graph, last, result);
  return true;
}

}  // namespace

absl::StatusOr<int> MergeAffine(Graph& graph, const PassContext& context) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (node->node_class() != NodeClass::kOp) return false;
    std::optional<Affine> step = MatchStep(node);
    if (!step || (context.strict() ? !IsExactStep(node) : IsInnerStep(node))) return false;
    return RewriteChain(graph, node, CollectChain(node, *std::move(step), context.strict()),
                        context.strict());
  });
}

}  // namespace linnet::converter
