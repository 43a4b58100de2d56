// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// relu(x) + k * min(x, 0)  =>  Prelu(x, k), or LeakyRelu(x, k) when k is one value
// where min(x, 0) may be spelled -relu(-x), and k may be spread over Neg and Mul by constants:
//   relu(x) + (-a) * relu(-x) (Keras), relu(x) - a * relu(-x), ...
// Maximum(x, k * x), 0 <= k <= 1                =>  the same
// Select(x > 0 or x >= 0, x, k * x)             =>  the same
// Exact up to the sign of zero; Maximum and Select forms are exact. k is a constant that broadcasts
// to x.
absl::StatusOr<int> FusePrelu(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
