// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// With r = clamp(x + 3, 0, 6):
// r / 6, r * (1/6)                          =>  HardSigmoid(x)
// clamp(x / 6 + 1/2, 0, 1)                  =>  HardSigmoid(x)
// x * HardSigmoid(x)                        =>  HardSwish(x)
// x * r * c, in any order and association   =>  HardSwish(x) [* 6c]
// r * c                                     =>  HardSigmoid(x) [* 6c]
// The extra factor appears when c is not 1/6 (exporters round it to f16); it is kept so that the
// value stays right, and fold_batch_norm usually absorbs it. Not under strict algebra.
absl::StatusOr<int> FuseHardSwish(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
