// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// Transpose(Transpose(x))                 =>  Transpose(x) with the permutations composed
// Transpose that only moves extents of 1  =>  Reshape
// BatchMatMul(Transpose(a), b)            =>  BatchMatMul(a, b) with the flag, when the Transpose
//                                             swaps the last two dimensions
absl::StatusOr<int> SimplifyTranspose(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
