// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>

#include "converter/legalize/extents/integer_bounds.h"

namespace linnet::converter {

// The bounds of a loop's variables while its body runs, which follow from the loop's condition, a
// legalized region. Recognised are comparisons of a variable with a constant that bound it from
// above, such as `i < 6`, alone or joined by LogicalAnd. By argument of the region; i32 scalars
// only.
std::map<int, IntegerBounds::Bounds> BoundsInBody(const Graph& condition);

}  // namespace linnet::converter
