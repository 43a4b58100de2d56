// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// Clamp(op(x))  =>  op(x, range)      for ops with an output range, when nothing else reads op
// Clamp(Clamp(x)) => Clamp(x)         by the same rule: Clamp has a range as well
// Exact.
absl::StatusOr<int> FuseActivation(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
