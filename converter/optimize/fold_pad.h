// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// conv(Pad(x, 0 on H and W))     =>  conv(x) with larger pads       (Conv2D, DepthwiseConv2D)
// MaxPool(Pad(x, v on H and W))  =>  MaxPool(x) with pads < window  (v = -inf, or 0 and x >= 0)
// Pad(Pad(x, v), v)              =>  Pad(x, v)
// MaxPool ignores its padding, which equals padding with a value that never wins; so zeros need an
// x that is known not to be negative (after a Relu). Never into an average: that divides by the
// real elements.
absl::StatusOr<int> FoldPad(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
