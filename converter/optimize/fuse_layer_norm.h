// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// Over the last axis, with m = Mean(x), v = Mean(SquaredDifference(x, m)) or Mean(Square(x - m))
// and i = Rsqrt(v + eps) (or 1 / Sqrt):
//   x * (i * gamma) + (beta - m * (i * gamma))      Keras, tf.nn.batch_normalization
//   (x - m) * i * gamma + beta,  (x - m) / Sqrt(v + eps) * gamma + beta
// =>  LayerNorm(x, gamma, beta).  gamma and beta: constants per channel; a missing gamma is 1, a
// missing beta 0. Mean and variance must serve nothing else. Not under strict algebra.
absl::StatusOr<int> FuseLayerNorm(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
