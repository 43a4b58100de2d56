// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/core/checked.h"

namespace linnet::converter {

// An extent, or another integer, that may differ from run to run: constant + sum of factor *
// symbol. Symbols are indices of a SymbolTable. Terms are sorted by symbol; no factor is 0.
class Extent {
 public:
  struct Term {
    int symbol;
    int64_t factor;
    friend bool operator==(const Term&, const Term&) = default;
  };

  Extent(int64_t constant = 0) : constant_(constant) {}  // NOLINT: numbers are extents
  static Extent OfSymbol(int symbol) {
    Extent extent;
    extent.terms_.push_back({symbol, 1});
    return extent;
  }

  bool is_constant() const { return terms_.empty(); }
  int64_t constant() const { return constant_; }
  std::span<const Term> terms() const { return terms_; }

  friend Extent operator+(const Extent& a, const Extent& b);
  friend Extent operator*(const Extent& a, int64_t factor);
  friend Extent operator-(const Extent& a, const Extent& b) { return a + b * -1; }
  friend bool operator==(const Extent&, const Extent&) = default;

 private:
  int64_t constant_ = 0;
  std::vector<Term> terms_;
};

bool AllConstant(std::span<const Extent> extents);
// The greatest common divisor of the constant and all factors.
int64_t Content(const Extent& extent);
// REQUIRES: the divisor divides Content(extent).
Extent Divided(const Extent& extent, int64_t divisor);

// An extent that is no sum of symbols, but follows from some: the product of its factors, divided
// and rounded down. One factor makes it a quotient, a divisor of 1 a product.
struct Quotient {
  std::vector<Extent> factors;
  int64_t divisor = 1;
  friend bool operator==(const Quotient&, const Quotient&) = default;
};

// Symbols, their bounds, and which of them have been found to be equal.
class SymbolTable {
 public:
  struct Symbol {
    std::string name;
    int64_t min = 0, max = 0;
    std::optional<Quotient> is;  // in every run
  };
  // A value for each symbol.
  using Values = std::vector<int64_t>;

  int Add(std::string name, int64_t min, int64_t max);
  int size() const { return static_cast<int>(symbols_.size()); }
  const Symbol& operator[](int symbol) const { return symbols_[symbol]; }

  void Define(int symbol, Quotient is);
  // Makes b equal to a. REQUIRES: their bounds are equal.
  void Merge(int a, int b);
  int Root(int symbol) const;  // the symbol that stands for all that are equal to `symbol`
  // `extent` with every symbol replaced by its root.
  Extent Canonical(const Extent& extent) const;
  bool Equal(const Extent& a, const Extent& b) const { return Canonical(a) == Canonical(b); }

  // Every symbol at its maximum.
  Values Largest() const;
  int64_t Value(const Extent& extent, const Values& values) const;
  int64_t Value(const Quotient& quotient, const Values& values) const;
  // The bounds that follow from those of the symbols.
  int64_t Max(const Extent& extent) const { return Bound(extent, true); }
  int64_t Min(const Extent& extent) const { return Bound(extent, false); }
  // Bounds that follow from quotients too: twice the half of n, rounded up, is at least n.
  int64_t TightMin(const Extent& extent) const;
  int64_t TightMax(const Extent& extent) const { return SaturatingMul(TightMin(extent * -1), -1); }
  // Whether a >= b in every run. False where that is not known.
  bool AtLeast(const Extent& a, const Extent& b) const { return TightMin(a - b) >= 0; }
  // The extent to reserve memory for: a constant as it is; for others the upper bound, at least 0.
  int64_t Largest(const Extent& extent) const;
  // "100 - n"
  std::string Text(const Extent& extent) const;
  // "[1,n]"
  std::string Text(std::span<const Extent> extents) const;

 private:
  int64_t Bound(const Extent& extent, bool upper) const;

  std::vector<Symbol> symbols_;
  std::vector<int> same_as_;
};

}  // namespace linnet::converter
