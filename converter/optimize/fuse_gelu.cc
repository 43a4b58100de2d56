// SPDX-License-Identifier: Apache-2.0
// x / 2 * (1 + erf(x / sqrt 2))                                     =>  GeluErf(x)
// x / 2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3)))               =>  GeluTanh(x)
// in any order and association of the products; x^3 may be Pow(x, 3), x * x * x or x * Square(x).
// x * (erf(..) / 2 + 1/2) matches too, and x / 2 * erfc(-x / sqrt 2). Not under strict algebra.
#include "converter/pass/passes.h"

#include <cmath>
#include <vector>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

bool Near(double value, double want) { return std::abs(value - want) <= 1e-5 * std::abs(want); }

// A function of x times a constant.
struct Scaled {
  Output x;
  double scale = 1.0;
};

// scale * x of a product with one variable factor; any other value is 1 * itself.
Scaled MatchScaled(Output value) {
  const Product product = FlattenProduct(value.node, 1);
  if (product.factors.size() != 1) return {value};
  return {product.factors[0], product.scale};
}

// scale * x^3; without x when `value` is no such product.
Scaled MatchCube(Output value) {
  const auto pow_base = [](Output power) -> Output {
    const Node* pow = BinaryProducer(power, BinaryKind::Pow);
    return pow != nullptr && IsSplat(pow->input(1), 3.0) ? pow->input(0) : Output{};
  };
  if (const Output base = pow_base(value)) return {base};
  const Product product = FlattenProduct(value.node);
  std::vector<Output> factors;
  for (const Output& factor : product.factors) {
    if (const Node* square = UnaryProducer(factor, UnaryKind::Square)) {
      factors.insert(factors.end(), 2, square->input(0));
    } else if (const Output base = pow_base(factor)) {
      factors.insert(factors.end(), 3, base);
    } else {
      factors.push_back(factor);
    }
  }
  if (factors.size() != 3 || factors[0] != factors[1] || factors[0] != factors[2]) return {};
  return {factors[0], product.scale};
}

// x for x + 0.044715 x^3.
Output MatchTanhArgument(Output value) {
  const Node* add = BinaryProducer(value, BinaryKind::Add);
  if (add == nullptr) return {};
  for (int slot = 0; slot < 2; ++slot) {
    const Scaled cube = MatchCube(add->input(slot));
    if (cube.x && Near(cube.scale, 0.044715) && add->input(1 - slot) == cube.x) return cube.x;
  }
  return {};
}

// x for erf(x / sqrt 2) or tanh(sqrt(2 / pi) * (x + 0.044715 x^3)).
Output MatchInner(Output value, UnaryKind* kind) {
  if (const Node* erf = UnaryProducer(value, UnaryKind::Erf)) {
    const Scaled scaled = MatchScaled(erf->input(0));
    *kind = UnaryKind::GeluErf;
    return Near(scaled.scale, std::sqrt(0.5)) ? scaled.x : Output{};
  }
  if (const Node* tanh = UnaryProducer(value, UnaryKind::Tanh)) {
    const Scaled scaled = MatchScaled(tanh->input(0));
    *kind = UnaryKind::GeluTanh;
    const double two_over_pi = 0.63661977236758134308;
    return Near(scaled.scale, std::sqrt(two_over_pi)) ? MatchTanhArgument(scaled.x) : Output{};
  }
  return {};
}

// `factor` as gain * (1 + inner(x)). erfc(-y) is 1 + erf(y).
Output MatchGate(Output factor, UnaryKind* kind, double* gain) {
  if (Node* erfc = UnaryProducer(factor, UnaryKind::Erfc); HasSingleUse(erfc)) {
    const Scaled scaled = MatchScaled(erfc->input(0));
    *kind = UnaryKind::GeluErf;
    *gain = 1.0;
    return Near(scaled.scale, -std::sqrt(0.5)) ? scaled.x : Output{};
  }
  Node* add = BinaryProducer(factor, BinaryKind::Add);
  if (!HasSingleUse(add)) return {};
  const WithConstant parts = SplitConstant(add);
  const std::optional<float> shift = Splat(parts.constant);
  if (!parts || !shift) return {};
  const Scaled inner = MatchScaled(parts.value);
  if (!Near(inner.scale, *shift)) return {};
  *gain = *shift;
  return MatchInner(inner.x, kind);
}

}  // namespace

absl::StatusOr<int> FuseGelu(Graph& graph, const PassContext& context) {
  if (context.strict()) return 0;
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    const Product product = FlattenProduct(node);
    if (product.factors.size() != 2) return false;
    for (size_t i = 0; i < 2; ++i) {
      UnaryKind kind = UnaryKind::Invalid;
      double gain = 0.0;
      const Output x = MatchGate(product.factors[i], &kind, &gain);
      if (!x || product.factors[1 - i] != x || !Near(product.scale * gain, 0.5)) continue;
      if (TypeOf(x) == node->type()) return ReplaceWithOp(graph, node, UnaryAttrs{kind}, {x});
    }
    return false;
  });
}

}  // namespace linnet::converter
