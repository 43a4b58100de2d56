// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// Dropout that a frozen graph still carries, when it drops nothing (r = RandomUniform in [0, 1)):
//   x * Cast(GreaterEqual(r, rate)), rate <= 0       =>  x
//   x * Floor(keep_prob + r), keep_prob = 1          =>  x
//   SelectV2(GreaterEqual(r, rate), x, 0), rate <= 0 =>  x
// The random numbers may be scaled to [0, 1): r * 1 + 0. TensorFlow ops; a dropout that does drop
// stays.
absl::StatusOr<int> DropDropout(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
