// SPDX-License-Identifier: Apache-2.0
// A chain of x + c, x - c, c - x, x * c, x / c, -x (f32, c a scalar or one value per channel, inner
// nodes read once) becomes x * s, x + t or x * s + t, with s and t computed in double and rounded
// once. Rewrites when the result has fewer nodes, or turns Sub and Div into the Add and Mul that
// other passes and kernels know. Strict algebra: only x - c => x + (-c) and x / 2^k => x * 2^-k,
// which are exact.
#include "converter/pass/passes.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "converter/graph/placement_wish.h"
#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

// y = x * scale + shift per channel of `type`; vectors of one element stand for all channels.
struct Affine {
  Output x;
  std::vector<double> scale{1.0}, shift{0.0};
};

void Combine(std::vector<double>& a, const std::vector<double>& b, double (*f)(double, double)) {
  if (a.size() < b.size()) a.resize(b.size(), a[0]);
  for (size_t i = 0; i < a.size(); ++i) a[i] = f(a[i], b[b.size() == 1 ? 0 : i]);
}
double Plus(double a, double b) { return a + b; }
double Times(double a, double b) { return a * b; }
double Over(double a, double b) { return a / b; }

// `node` as one affine step over a tensor of its own type.
std::optional<Affine> MatchStep(const Node* node) {
  if (IsUnary(node, UnaryKind::Neg) && IsF32(node->input(0)))
    return Affine{node->input(0), {-1.0}, {0.0}};
  if (!node->Is<BinaryAttrs>() || !RangeOf(node)->unbounded()) return std::nullopt;
  const WithConstant parts = SplitConstant(node);
  if (!parts || parts.value.node->type(parts.value.index) != node->type()) return std::nullopt;
  const Constant& constant = *ConstantOf(parts.constant);
  if (!IsPerChannel(constant, node->type())) return std::nullopt;
  const std::vector<double> c = ElementsOf(constant);
  if (c.empty()) return std::nullopt;
  Affine step{parts.value};
  switch (node->attrs<BinaryAttrs>().kind) {
    case BinaryKind::Add:
      step.shift = c;
      return step;
    case BinaryKind::Sub:
      if (parts.constant_slot == 1) {
        step.shift = c;
        for (double& shift : step.shift) shift = -shift;  // keeps the sign of zero: x - 0 = x + -0
      } else {
        step.scale = {-1.0};
        step.shift = c;
      }
      return step;
    case BinaryKind::Mul:
      step.scale = c;
      return step;
    case BinaryKind::Div:
      if (parts.constant_slot != 1) return std::nullopt;
      Combine(step.scale, c, Over);
      return step;
    default:
      return std::nullopt;
  }
}

bool AllRound(const std::vector<double>& values, float want) {
  return std::all_of(values.begin(), values.end(),
                     [want](double v) { return static_cast<float>(v) == want; });
}

bool AllFinite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double v) { return std::isfinite(static_cast<float>(v)); });
}

// Is 1 / value exact (a power of two whose reciprocal is a normal number)?
bool IsExactReciprocal(double value) {
  int exponent;
  return std::abs(std::frexp(value, &exponent)) == 0.5 && std::abs(exponent) < 120;
}

// Does the step have an exact form that is not its own already?
bool IsExactStep(const Node* node) {
  if (IsBinary(node, BinaryKind::Sub)) return SplitConstant(node).constant_slot == 1;
  if (!IsBinary(node, BinaryKind::Div)) return false;
  const std::vector<double> c = ElementsOf(*ConstantOf(node->input(1)));
  return std::all_of(c.begin(), c.end(), IsExactReciprocal);
}

bool IsAddOrMul(const Node* node) {
  return IsBinary(node, BinaryKind::Add) || IsBinary(node, BinaryKind::Mul);
}

// Will a chain that ends further down take this step along? Then merging it alone would only round
// once more.
bool IsInnerStep(const Node* node) {
  if (!HasSingleUse(node)) return false;
  const Node* next = node->Uses(0)[0]->dst;
  return next->node_class() == NodeClass::kOp && next->type() == node->type() &&
         MatchStep(next).has_value();
}

struct Chain {
  Affine affine;
  std::vector<const Node*> nodes;  // last step first
};

Chain CollectChain(Node* last, Affine step, bool strict) {
  Chain chain{std::move(step), {last}};
  while (!strict) {
    const Output x = chain.affine.x;
    if (!HasSingleUse(x.node) || x.node->type() != last->type()) break;
    const std::optional<Affine> inner = MatchStep(x.node);
    if (!inner) break;
    // (x * s1 + t1) * s2 + t2 = x * (s1 s2) + (t1 s2 + t2)
    std::vector<double> shift = inner->shift;
    Combine(shift, chain.affine.scale, Times);
    Combine(shift, chain.affine.shift, Plus);
    Combine(chain.affine.scale, inner->scale, Times);
    chain.affine.shift = std::move(shift);
    chain.affine.x = inner->x;
    chain.nodes.push_back(x.node);
  }
  return chain;
}

Output ChannelConstant(Graph& graph, const Node& like, const char* suffix,
                       const std::vector<double>& values) {
  const Shape shape = values.size() == 1 ? Shape{} : Shape{static_cast<int64_t>(values.size())};
  return AddConstantLike(graph, like, suffix, FloatConstant(shape, values));
}

absl::StatusOr<Output> Emit(Graph& graph, const Node& like, BinaryKind kind, Output x,
                            const std::vector<double>& values) {
  const char* suffix = kind == BinaryKind::Mul ? "scale" : "shift";
  const Output constant = ChannelConstant(graph, like, suffix, values);
  absl::StatusOr<Node*> node =
      graph.AddOp(graph.UniqueName(like.name() + "/" + (kind == BinaryKind::Mul ? "mul" : "add")),
                  BinaryAttrs{.kind = kind}, {x, constant});
  if (!node.ok()) return node.status();
  return Output{*node, 0};
}

absl::StatusOr<bool> RewriteChain(Graph& graph, Node* last, const Chain& chain, bool strict) {
  const bool has_scale = !AllRound(chain.affine.scale, 1.0f);
  const bool has_shift = !AllRound(chain.affine.shift, 0.0f);
  const size_t needed = has_scale + has_shift;
  const bool fewer = needed < chain.nodes.size();
  const bool simpler = needed == chain.nodes.size() &&
                       !std::all_of(chain.nodes.begin(), chain.nodes.end(), IsAddOrMul);
  if (!fewer && !simpler) return false;
  if (strict && needed == 0) return false;  // x - (-0.0) is not x
  if (!AllFinite(chain.affine.scale) || !AllFinite(chain.affine.shift)) return false;
  Output result = chain.affine.x;
  if (has_scale) {
    absl::StatusOr<Output> mul = Emit(graph, *last, BinaryKind::Mul, result, chain.affine.scale);
    if (!mul.ok()) return mul.status();
    result = *mul;
  }
  if (has_shift) {
    absl::StatusOr<Output> add = Emit(graph, *last, BinaryKind::Add, result, chain.affine.shift);
    if (!add.ok()) return add.status();
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
    if (!step || (context.strict() && !IsExactStep(node))) return false;
    if (!context.strict() && IsInnerStep(node)) return false;
    return RewriteChain(graph, node, CollectChain(node, *std::move(step), context.strict()),
                        context.strict());
  });
}

}  // namespace linnet::converter
