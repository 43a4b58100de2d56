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
  return is_small(quotient.divisor) && is_small(quotient.of.constant()) &&
         std::ranges::all_of(quotient.of.terms(), is_small, &Extent::Term::factor);
}

// Cancels what divides all factors and the divisor: floor((2n + 1) / 4) = floor(n / 2).
Quotient Cancelled(const Quotient& quotient) {
  int64_t common = quotient.divisor;
  for (const Extent::Term& term : quotient.of.terms()) common = std::gcd(common, term.factor);
  if (common == 1) return quotient;
  Quotient cancelled{FloorDiv(quotient.of.constant(), common), quotient.divisor / common};
  for (const Extent::Term& term : quotient.of.terms())
    cancelled.of = cancelled.of + Extent::OfSymbol(term.symbol) * (term.factor / common);
  return cancelled;
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
  if (attrs.same) return Quotient{in + (axis.stride - 1), axis.stride};
  const int64_t reach = (axis.kernel - 1) * axis.dilation + 1;
  return Quotient{in + (axis.pads - reach + axis.stride), axis.stride};
}

}  // namespace

Quotient Quotients::Reduced(const SymbolTable& symbols, Quotient quotient) const {
  quotient.of = symbols.Canonical(quotient.of);
  if (!IsSmall(quotient)) return quotient;
  // floor((floor(e / d) + c) / s) = floor((e + c d) / (d s))
  for (size_t i = 0; i < known_.size(); ++i) {
    const std::span<const Extent::Term> terms = quotient.of.terms();
    if (terms.size() != 1 || terms[0].factor != 1) break;
    const Known& known = known_[known_.size() - 1 - i];
    const Quotient& inner = known.is;
    if (symbols.Root(known.symbol) != terms[0].symbol) continue;
    if (inner.divisor > kMost / quotient.divisor || !IsSmall(inner)) break;
    quotient = {symbols.Canonical(inner.of) + quotient.of.constant() * inner.divisor,
                quotient.divisor * inner.divisor};
    if (!IsSmall(quotient)) return quotient;
  }
  return Cancelled(quotient);
}

std::optional<int> Quotients::Find(const SymbolTable& symbols, const Quotient& reduced) const {
  for (const Known& known : known_)
    if (known.is.divisor == reduced.divisor && symbols.Equal(known.is.of, reduced.of))
      return known.symbol;
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
