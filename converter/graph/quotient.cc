// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/quotient.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/ops/conv2d.h"
#include "runtime/ops/depthwise_conv2d.h"
#include "runtime/ops/pool2d.h"

namespace linnet::converter {
namespace {

// Keeps products of what follows far from overflow.
constexpr int64_t kMost = int64_t{1} << 30;

int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

bool IsSmall(const Quotient& quotient) {
  const auto is_small = [](int64_t number) { return number >= -kMost && number <= kMost; };
  return is_small(quotient.divisor) &&
         std::ranges::all_of(quotient.factors, [&](const Extent& factor) {
           return is_small(factor.constant()) &&
                  std::ranges::all_of(factor.terms(), is_small, &Extent::Term::factor);
         });
}

bool ComesBefore(const Extent& a, const Extent& b) {
  const auto key = [](const Extent::Term& term) { return std::pair(term.symbol, term.factor); };
  if (std::ranges::equal(a.terms(), b.terms())) return a.constant() < b.constant();
  return std::ranges::lexicographical_compare(a.terms(), b.terms(), {}, key, key);
}

Quotient Ordered(const SymbolTable& symbols, Quotient quotient) {
  for (Extent& factor : quotient.factors) factor = symbols.Canonical(factor);
  std::ranges::sort(quotient.factors, ComesBefore);
  return quotient;
}

// Cancels what divides all factors of a sum and the divisor: floor((2n + 1) / 4) = floor(n / 2).
Quotient Cancelled(const Quotient& quotient) {
  const Extent& of = quotient.factors[0];
  int64_t common = quotient.divisor;
  for (const Extent::Term& term : of.terms()) common = std::gcd(common, term.factor);
  if (common == 1) return quotient;
  Extent cancelled(FloorDiv(of.constant(), common));
  for (const Extent::Term& term : of.terms())
    cancelled = cancelled + Extent::OfSymbol(term.symbol) * (term.factor / common);
  return {{cancelled}, quotient.divisor / common};
}

// floor((floor(e / d) + c) / s) = floor((e + c d) / (d s)), where e is no product or c is 0.
Quotient WithoutQuotient(const SymbolTable& symbols, Quotient quotient) {
  for (int i = symbols.size() - 1; i >= 0 && quotient.factors.size() == 1; --i) {
    const Extent& of = quotient.factors[0];
    if (of.terms().size() != 1 || of.terms()[0].factor != 1) break;
    if (!symbols[i].is || symbols.Root(i) != of.terms()[0].symbol) continue;
    const Quotient inner = Ordered(symbols, *symbols[i].is);
    if (!IsSmall(inner) || inner.divisor > kMost / quotient.divisor) break;
    if (inner.factors.size() > 1 && of.constant() != 0) break;
    const Extent added = of.constant() * inner.divisor;
    quotient = {inner.factors, quotient.divisor * inner.divisor};
    quotient.factors[0] = quotient.factors[0] + added;
    if (!IsSmall(quotient)) break;
  }
  return quotient;
}

// The factors of what is a product and no quotient; none for all others.
std::vector<Extent> FactorsOfProduct(const SymbolTable& symbols, const Extent& extent) {
  if (extent.constant() != 0 || extent.terms().size() != 1 || extent.terms()[0].factor != 1)
    return {};
  const std::optional<Quotient>& is = symbols[extent.terms()[0].symbol].is;
  const bool is_product = is && is->divisor == 1 && is->factors.size() > 1 && IsSmall(*is);
  return is_product ? is->factors : std::vector<Extent>();
}

// Takes apart factors that are products themselves, and cancels what divides one and the divisor.
Quotient Multiplied(const SymbolTable& symbols, const Quotient& product) {
  constexpr size_t kMostFactors = 16;
  std::vector<Extent> open = product.factors, factors;
  int64_t content = 1;
  while (!open.empty()) {
    if (open.size() + factors.size() > kMostFactors) return product;
    const Extent factor = symbols.Canonical(open.back());
    open.pop_back();
    const int64_t common = factor.is_constant() ? factor.constant() : Content(factor);
    content = SaturatingMul(content, common);
    if (content > kMost || content < -kMost) return product;
    if (factor.is_constant()) continue;
    const Extent rest = Divided(factor, common);
    const std::vector<Extent> inner = FactorsOfProduct(symbols, rest);
    open.insert(open.end(), inner.begin(), inner.end());
    if (inner.empty()) factors.push_back(rest);
  }
  if (factors.empty()) factors.emplace_back(1);
  const int64_t common = std::gcd(content, product.divisor);
  Quotient multiplied = Ordered(symbols, {std::move(factors), product.divisor / common});
  multiplied.factors[0] = multiplied.factors[0] * (content / common);
  return multiplied;
}

struct Axis {
  int64_t kernel, stride, dilation, pads;
};

template <typename Attrs>
Axis AxisOf(const Attrs& attrs, int64_t kernel_h, int64_t kernel_w, bool rows) {
  Axis axis{
      rows ? kernel_h : kernel_w, rows ? attrs.stride_h : attrs.stride_w, 1,
      rows ? int64_t{attrs.pad_top} + attrs.pad_bottom : int64_t{attrs.pad_left} + attrs.pad_right};
  if constexpr (requires { attrs.dilation_h; })
    axis.dilation = rows ? attrs.dilation_h : attrs.dilation_w;
  return axis;
}

// WindowOutput (runtime/ops/window.h) over an extent.
template <typename Attrs>
std::optional<Quotient> Windows(const Attrs& attrs, const Extent& in, const Axis& axis) {
  if (axis.kernel > kMost || axis.dilation > kMost) return std::nullopt;
  if (attrs.same) return Quotient{{in + (axis.stride - 1)}, axis.stride};
  const int64_t reach = (axis.kernel - 1) * axis.dilation + 1;
  return Quotient{{in + (axis.pads - reach + axis.stride)}, axis.stride};
}

}  // namespace

Quotient ReducedQuotient(const SymbolTable& symbols, Quotient quotient) {
  quotient = Ordered(symbols, std::move(quotient));
  if (!IsSmall(quotient)) return quotient;
  if (quotient.factors.size() == 1) quotient = WithoutQuotient(symbols, Cancelled(quotient));
  if (quotient.factors.size() > 1) quotient = Multiplied(symbols, quotient);
  return quotient.factors.size() == 1 && IsSmall(quotient) ? Cancelled(quotient) : quotient;
}

std::optional<int> FindQuotient(const SymbolTable& symbols, const Quotient& reduced) {
  const Quotient wanted = Ordered(symbols, reduced);
  for (int i = 0; i < symbols.size(); ++i) {
    const std::optional<Quotient>& is = symbols[i].is;
    const bool may_be =
        is && is->divisor == wanted.divisor && is->factors.size() == wanted.factors.size();
    if (may_be && Ordered(symbols, *is) == wanted) return i;
  }
  return std::nullopt;
}

std::optional<Quotient> WindowQuotient(const OpAttrs& attrs, std::span<const InputInfo> inputs,
                                       std::span<const Extent> picture, int d) {
  if ((d != 1 && d != 2) || picture.size() != 4) return std::nullopt;
  const bool rows = d == 1;
  const Extent& in = picture[static_cast<size_t>(d)];
  switch (attrs.kind()) {
    case OpKind::kConv2D: {
      const Shape& filter = inputs[1].type.shape;
      const auto& conv = attrs.as<Conv2DAttrs>();
      return Windows(conv, in, AxisOf(conv, filter[1], filter[2], rows));
    }
    case OpKind::kDepthwiseConv2D: {
      const Shape& filter = inputs[1].type.shape;
      const auto& conv = attrs.as<DepthwiseConv2DAttrs>();
      return Windows(conv, in, AxisOf(conv, filter[0], filter[1], rows));
    }
    case OpKind::kPool2D: {
      const auto& pool = attrs.as<Pool2DAttrs>();
      return Windows(pool, in, AxisOf(pool, pool.window_h, pool.window_w, rows));
    }
    default:
      return std::nullopt;
  }
}

}  // namespace linnet::converter
