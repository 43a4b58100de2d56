// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/extent.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "fmt/format.h"
#include "runtime/core/checked.h"

namespace linnet::converter {
namespace {

// The product, or INT64_MAX or INT64_MIN on overflow.
int64_t SignedProduct(int64_t a, int64_t b) {
  int64_t product;
  if (CheckedMul(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

}  // namespace

Extent operator+(const Extent& a, const Extent& b) {
  Extent sum(SaturatingAdd(a.constant_, b.constant_));
  auto i = a.terms_.begin(), k = b.terms_.begin();
  while (i != a.terms_.end() || k != b.terms_.end()) {
    if (k == b.terms_.end() || (i != a.terms_.end() && i->symbol < k->symbol)) {
      sum.terms_.push_back(*i++);
    } else if (i == a.terms_.end() || k->symbol < i->symbol) {
      sum.terms_.push_back(*k++);
    } else {
      const int64_t factor = SaturatingAdd(i->factor, k->factor);
      if (factor != 0) sum.terms_.push_back({i->symbol, factor});
      ++i, ++k;
    }
  }
  return sum;
}

Extent operator*(const Extent& a, int64_t factor) {
  if (factor == 0) return {};
  Extent product(SignedProduct(a.constant_, factor));
  for (const Extent::Term& term : a.terms_)
    product.terms_.push_back({term.symbol, SignedProduct(term.factor, factor)});
  return product;
}

bool AllConstant(std::span<const Extent> extents) {
  return std::ranges::all_of(extents, &Extent::is_constant);
}

int64_t Content(const Extent& extent) {
  int64_t content = std::abs(extent.constant());
  for (const Extent::Term& term : extent.terms()) content = std::gcd(content, term.factor);
  return content;
}

Extent Divided(const Extent& extent, int64_t divisor) {
  Extent quotient(extent.constant() / divisor);
  for (const Extent::Term& term : extent.terms())
    quotient = quotient + Extent::OfSymbol(term.symbol) * (term.factor / divisor);
  return quotient;
}

int SymbolTable::Add(std::string name, int64_t min, int64_t max) {
  // No tensor has more elements than this.
  constexpr int64_t kMost = int64_t{1} << 40;
  symbols_.push_back({.name = std::move(name),
                      .min = std::clamp(min, -kMost, kMost),
                      .max = std::clamp(max, -kMost, kMost),
                      .is = {}});
  same_as_.push_back(size() - 1);
  return size() - 1;
}

void SymbolTable::Define(int symbol, Quotient is) { symbols_[symbol].is = std::move(is); }

void SymbolTable::Merge(int a, int b) {
  const int from = Root(b), to = Root(a);
  same_as_[from] = to;
  if (!symbols_[to].is) symbols_[to].is = symbols_[from].is;
}

int SymbolTable::Root(int symbol) const {
  while (same_as_[symbol] != symbol) symbol = same_as_[symbol];
  return symbol;
}

Extent SymbolTable::Canonical(const Extent& extent) const {
  Extent result(extent.constant());
  for (const Extent::Term& term : extent.terms())
    result = result + Extent::OfSymbol(Root(term.symbol)) * term.factor;
  return result;
}

SymbolTable::Values SymbolTable::Largest() const {
  Values values;
  for (const Symbol& symbol : symbols_) values.push_back(symbol.max);
  return values;
}

int64_t SymbolTable::Value(const Extent& extent, const Values& values) const {
  int64_t sum = extent.constant();
  for (const Extent::Term& term : extent.terms())
    sum = SaturatingAdd(sum, SignedProduct(term.factor, values[Root(term.symbol)]));
  return sum;
}

int64_t SymbolTable::Value(const Quotient& quotient, const Values& values) const {
  int64_t product = 1;
  for (const Extent& factor : quotient.factors)
    product = SaturatingMul(product, std::max<int64_t>(Value(factor, values), 0));
  return product / quotient.divisor;
}

int64_t SymbolTable::Bound(const Extent& extent, bool upper) const {
  const Extent canonical = Canonical(extent);
  int64_t sum = canonical.constant();
  for (const Extent::Term& term : canonical.terms()) {
    const Symbol& symbol = symbols_[term.symbol];
    sum = SaturatingAdd(
        sum, SignedProduct(term.factor, (term.factor > 0) == upper ? symbol.max : symbol.min));
  }
  return sum;
}

int64_t SymbolTable::TightMin(const Extent& extent) const {
  const Extent canonical = Canonical(extent);
  const int64_t bound = Min(canonical);
  constexpr int64_t kMostUnit = 1 << 20;
  // Null for products, of which nothing more is known here.
  const auto quotient_of = [&](int symbol) -> const Quotient* {
    const std::optional<Quotient>& is = symbols_[symbol].is;
    return is && is->factors.size() == 1 ? &*is : nullptr;
  };
  int64_t unit = 1;  // a multiple of all divisors
  for (const Extent::Term& term : canonical.terms()) {
    const Quotient* quotient = quotient_of(term.symbol);
    if (quotient == nullptr) continue;
    if (quotient->divisor > kMostUnit) return bound;
    unit = std::lcm(unit, quotient->divisor);
    if (unit > kMostUnit) return bound;
  }
  // unit * extent, where of / d - (d - 1) / d <= floor(of / d) <= of / d stands for a quotient:
  // what these have in common with other terms cancels.
  Extent smallest = SignedProduct(canonical.constant(), unit);
  for (const Extent::Term& term : canonical.terms()) {
    const Quotient* quotient = quotient_of(term.symbol);
    const int64_t divisor = quotient != nullptr ? quotient->divisor : 1;
    const int64_t factor = SignedProduct(term.factor, unit / divisor);
    const Extent of = quotient != nullptr ? quotient->factors[0] : Extent::OfSymbol(term.symbol);
    smallest = smallest + of * factor;
    if (factor > 0) smallest = smallest + SignedProduct(factor, 1 - divisor);
  }
  const int64_t scaled = Min(smallest);
  const int64_t rounded_up = scaled / unit + (scaled > 0 && scaled % unit != 0);
  return std::max(bound, rounded_up);
}

int64_t SymbolTable::Largest(const Extent& extent) const {
  return extent.is_constant() ? extent.constant() : std::max<int64_t>(0, Max(extent));
}

std::string SymbolTable::Text(const Extent& extent) const {
  const auto magnitude = [](int64_t value) {
    return value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  };
  const Extent canonical = Canonical(extent);
  std::string text;
  for (const Extent::Term& term : canonical.terms()) {
    const std::string& name = symbols_[term.symbol].name;
    const uint64_t size = magnitude(term.factor);
    text += text.empty() ? (term.factor < 0 ? "-" : "") : (term.factor < 0 ? " - " : " + ");
    text += size == 1 ? name : fmt::format("{}*{}", size, name);
  }
  if (text.empty()) return fmt::format("{}", extent.constant());
  if (extent.constant() != 0)
    text += fmt::format(" {} {}", extent.constant() < 0 ? '-' : '+', magnitude(extent.constant()));
  return text;
}

std::string SymbolTable::Text(std::span<const Extent> extents) const {
  std::vector<std::string> texts;
  for (const Extent& extent : extents) texts.push_back(Text(extent));
  return fmt::format("[{}]", fmt::join(texts, ","));
}

}  // namespace linnet::converter
