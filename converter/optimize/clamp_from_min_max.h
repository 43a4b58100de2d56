// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// Maximum(x, c)  =>  Clamp(x, [c, inf])     (f32, c uniform)
// Minimum(x, c)  =>  Clamp(x, [-inf, c])
// Exact, NaN included: Maximum, Minimum and Clamp all keep a NaN of x. A NaN constant is left
// alone, and so is a constant that would enlarge x.
absl::StatusOr<int> ClampFromMinMax(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
