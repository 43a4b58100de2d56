// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// x * Sigmoid(x)  =>  Swish(x)
// Sigmoid must have no other reader. Not under strict algebra.
absl::StatusOr<int> FuseSwish(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
