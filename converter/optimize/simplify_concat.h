// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// Concat(..., Concat(a, b), ...)  =>  Concat(..., a, b, ...), same axis, the inner one read once
// Concat(x, empty)                =>  Concat(x): inputs without elements are dropped
// Concat(x[0:k], x[k:n])          =>  Concat(x[0:n]): neighbouring slices of one tensor are joined
absl::StatusOr<int> SimplifyConcat(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
