// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// x / 2 * (1 + erf(x / sqrt 2))                                     =>  GeluErf(x)
// x / 2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3)))               =>  GeluTanh(x)
// in any order and association of the products; x^3 may be Pow(x, 3), x * x * x or x * Square(x).
// Also x * (erf(..) / 2 + 1/2). Not under strict algebra.
absl::StatusOr<int> FuseGelu(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
