// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// Reshape(Reshape(x))                  =>  Reshape(x)
// Reshape(Reduce(x, keep_dims=a))      =>  Reduce(x, keep_dims=!a), when that has the wanted shape
// Reshape(FullyConnected(Reshape(x)))  =>  FullyConnected(x), when both keep the last dimension
//                                          and the result has the wanted shape
// Reduce over extents of 1 (Sum, Mean, Prod, Max, Min)  =>  Reshape
// Inner nodes need a single reader, except the inner Reshape of the first rule.
absl::StatusOr<int> SimplifyReshape(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
