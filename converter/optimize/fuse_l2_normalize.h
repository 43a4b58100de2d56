// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// x * Rsqrt(Maximum(Sum(x * x), eps)),  x / Sqrt(Maximum(Sum(x * x), eps))  =>  L2Normalize(x, eps)
// Sum over the last axis, dimensions kept. Square and Mul(x, x) are the same; Maximum may be a
// Clamp. Without the Maximum epsilon is 0. Not under strict algebra.
absl::StatusOr<int> FuseL2Normalize(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
