// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// a * x + b * x  =>  x * (a + b)     (a, b scalar constants, or missing: x + x  =>  x * 2)
// x * y + x * z  =>  x * (y + z)     (y, z of x's shape)
// and the same with -. TensorFlow's HoistCommonFactorOutOfAggregation. The products need a single
// reader. Integers wrap, so for them this is exact; floats only under tf algebra.
absl::StatusOr<int> HoistCommonFactor(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
