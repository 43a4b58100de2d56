// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "converter/graph/extent.h"
#include "converter/graph/op_attrs.h"

namespace linnet::converter {

// The form in which equal quotients are written alike: nothing in it is a quotient or a product
// itself where that can be taken apart, and nothing is left to cancel.
Quotient ReducedQuotient(const SymbolTable& symbols, Quotient quotient);
// A symbol that is `reduced`, or nullopt. Two that are the same quotient are equal in every run,
// however they are computed.
std::optional<int> FindQuotient(const SymbolTable& symbols, const Quotient& reduced);

// What the extent of dimension `d` of the output of a window op (a convolution, a pooling) is.
// `picture` are the extents of input 0. nullopt for other ops and dimensions.
std::optional<Quotient> WindowQuotient(const OpAttrs& attrs, std::span<const InputInfo> inputs,
                                       std::span<const Extent> picture, int d);

}  // namespace linnet::converter
