// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// conv(x, w) + b, then * s        =>  conv(x, w * s) + b * s          (s per output channel)
// conv(x * s, w)                  =>  conv(x, w * s)                  (s per input channel)
// conv(x + t, w) without padding  =>  conv(x, w) + sum(w * t)         (t per input channel)
// for Conv2D, DepthwiseConv2D, TransposeConv2D (first rule) and FullyConnected with constant filter
// and bias. After merge_affine a batch norm is such a Mul followed by an Add, which fuse_bias
// takes. The node folded away or into must have no other reader and, when it is in front, no output
// range. A u8 or u16 filter times a single factor stays encoded. Moves last bits: nothing happens
// under strict algebra.
absl::StatusOr<int> FoldBatchNorm(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
