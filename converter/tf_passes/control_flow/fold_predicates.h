// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "converter/graph/graph.h"
#include "converter/graph/problems.h"

namespace linnet::converter {

// The value of a bool scalar that is a constant, also behind Identity, Enter and Switch.
std::optional<bool> ConstantPredicate(Output value);

// Switch(x, const)  =>  x on the side that is taken; what depends on the other side is removed, up
// to the Merges, which become their other input; so are loops on that side. Returns how many nodes
// were removed. A result (_Retval) that can never be computed is a problem.
int FoldPredicates(Graph& graph, Problems* problems);

}  // namespace linnet::converter
