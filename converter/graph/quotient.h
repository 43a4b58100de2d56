// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "converter/graph/extent.h"
#include "converter/graph/op_attrs.h"

namespace linnet::converter {

// An extent that is no sum of symbols, but follows from one: floor(of / divisor).
struct Quotient {
  Extent of;
  int64_t divisor = 1;
};

// What is known of symbols that are quotients. Two that are the same quotient are equal in every
// run, however they are computed.
class Quotients {
 public:
  // The form in which equal quotients are written alike: no quotient of a quotient, nothing left
  // to cancel.
  Quotient Reduced(const SymbolTable& symbols, Quotient quotient) const;
  // A symbol that is `reduced`, or nullopt.
  std::optional<int> Find(const SymbolTable& symbols, const Quotient& reduced) const;
  void Add(int symbol, Quotient reduced) { known_.push_back({symbol, std::move(reduced)}); }

 private:
  struct Known {
    int symbol;
    Quotient is;
  };
  std::vector<Known> known_;
};

// What the extent of dimension `d` of the output of a window op (a convolution, a pooling) is.
// `picture` are the extents of input 0. nullopt for other ops and dimensions.
std::optional<Quotient> WindowQuotient(const OpAttrs& attrs, std::span<const InputInfo> inputs,
                                       std::span<const Extent> picture, int d);

}  // namespace linnet::converter
