// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// Slice(Slice(x))       =>  Slice(x)
// Slice(Concat(a, b))   =>  a, b or a Slice of it, when the slice lies within one part
// Slice(Pad(x))         =>  Slice(x), when the slice takes nothing of the border
// Strides compose by multiplication; any sign is fine.
absl::StatusOr<int> SimplifySlice(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
