// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>

#include "converter/legalize/extents/integer_bounds.h"

namespace linnet::converter {

// What the condition of a loop, a region that has been legalized, says of the loop's variables
// while the body runs: `i < 6`, alone or with others in a LogicalAnd. By argument of the region,
// i32 scalars only.
std::map<int, IntegerBounds::Bounds> BoundsInBody(const Graph& condition);

}  // namespace linnet::converter
