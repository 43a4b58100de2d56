// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/extents/real_bounds.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "runtime/ops/all_attrs.h"

namespace linnet::converter {
namespace {

using schema::BinaryKind;
using schema::UnaryKind;
using Bounds = std::optional<RealBounds>;

constexpr int kMostOps = 64;             // that are looked at; sizes are computed by a few
constexpr int64_t kMostElements = 1024;  // of a constant: larger ones are weights or data

Bounds OfConstant(const Constant& constant) {
  const int64_t count = constant.type.shape.num_elements();
  if (constant.type.dtype != DType::kFloat32 || count < 1 || count > kMostElements)
    return std::nullopt;
  const Constant plain = constant.Plain();
  const std::span<const float> numbers = plain.as<float>();
  if (!std::ranges::all_of(numbers, [](float x) { return std::isfinite(x); })) return std::nullopt;
  const auto [min, max] = std::ranges::minmax(numbers);
  return RealBounds{min, max};
}

// Of an op on two operands that is monotonic in each: its extremes are at the ends.
template <typename Op>
Bounds OfEnds(const RealBounds& a, const RealBounds& b, Op op) {
  const float ends[] = {op(a.min, b.min), op(a.min, b.max), op(a.max, b.min), op(a.max, b.max)};
  if (!std::ranges::all_of(ends, [](float end) { return std::isfinite(end); })) return std::nullopt;
  const auto [min, max] = std::ranges::minmax(ends);
  return RealBounds{min, max};
}

class Walk {
 public:
  explicit Walk(const IntegerBounds& integers) : integers_(integers) {}

  Bounds Of(Output value) {
    const Node& node = *value.node;
    if (left_-- <= 0) return std::nullopt;
    if (node.IsConstant()) return OfConstant(node.constant());
    if (node.node_class() != NodeClass::kOp) return std::nullopt;
    if (node.Is<CastAttrs>()) return OfCast(node.input(0));
    if (node.Is<BinaryAttrs>()) return OfBinary(node);
    if (node.Is<UnaryAttrs>()) return OfUnary(node);
    if (node.Has(kPicksElements)) return Of(node.input(0));
    if (node.Has(kMovesElements)) return OfAll(node);
    return std::nullopt;
  }

 private:
  Bounds OfCast(Output from) {
    if (!from.node->HasType(from.index)) return std::nullopt;
    if (IsFloat(from.node->type(from.index).dtype)) return Of(from);
    const std::optional<IntegerBounds::Bounds> bounds = integers_.Find(from);
    if (!bounds) return std::nullopt;
    return RealBounds{static_cast<float>(bounds->min), static_cast<float>(bounds->max)};
  }

  Bounds OfAll(const Node& node) {
    Bounds all;
    for (const Output input : node.inputs()) {
      const Bounds one = Of(input);
      if (!one) return std::nullopt;
      all = all ? RealBounds{std::min(all->min, one->min), std::max(all->max, one->max)} : *one;
    }
    return all;
  }

  Bounds OfBinary(const Node& node) {
    const Bounds a = Of(node.input(0));
    const Bounds b = a ? Of(node.input(1)) : std::nullopt;
    if (!b) return std::nullopt;
    switch (node.attrs<BinaryAttrs>().kind) {
      case BinaryKind::Add:
        return OfEnds(*a, *b, std::plus<float>());
      case BinaryKind::Sub:
        return OfEnds(*a, *b, std::minus<float>());
      case BinaryKind::Mul:
        return OfEnds(*a, *b, std::multiplies<float>());
      case BinaryKind::Div:
        if (b->min <= 0 && b->max >= 0) return std::nullopt;
        return OfEnds(*a, *b, std::divides<float>());
      case BinaryKind::Minimum:
        return RealBounds{std::min(a->min, b->min), std::min(a->max, b->max)};
      case BinaryKind::Maximum:
        return RealBounds{std::max(a->min, b->min), std::max(a->max, b->max)};
      default:
        return std::nullopt;
    }
  }

  Bounds OfUnary(const Node& node) {
    const Bounds x = Of(node.input(0));
    if (!x) return std::nullopt;
    switch (node.attrs<UnaryAttrs>().kind) {
      case UnaryKind::Floor:
        return RealBounds{std::floor(x->min), std::floor(x->max)};
      case UnaryKind::Ceil:
        return RealBounds{std::ceil(x->min), std::ceil(x->max)};
      case UnaryKind::Round:
        return RealBounds{std::nearbyint(x->min), std::nearbyint(x->max)};
      case UnaryKind::Neg:
        return RealBounds{-x->max, -x->min};
      default:
        return std::nullopt;
    }
  }

  const IntegerBounds& integers_;
  int left_ = kMostOps;
};

}  // namespace

std::optional<RealBounds> FindRealBounds(Output value, const IntegerBounds& integers) {
  return Walk(integers).Of(value);
}

}  // namespace linnet::converter
