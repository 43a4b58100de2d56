// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// A chain of x + c, x - c, c - x, x * c, x / c, -x (f32, c a scalar or one value per channel, inner
// nodes read once) becomes x * s, x + t or x * s + t, with s and t computed in double and rounded
// once. Rewrites when the result has fewer nodes, or turns Sub and Div into the Add and Mul that
// other passes and kernels know. Strict algebra: only x - c => x + (-c) and x / 2^k => x * 2^-k,
// which are exact.
absl::StatusOr<int> MergeAffine(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
