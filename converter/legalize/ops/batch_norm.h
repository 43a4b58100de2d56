// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "converter/legalize/context/legalize_context.h"

namespace linnet::converter {

struct BatchNorm {
  Emitted scale, offset, mean, variance;  // [channels]
  float epsilon = 0;
};

// x * s + (offset - mean * s) with s = scale / sqrt(variance + epsilon), over the last dimension: a
// Mul and an Add when the parameters are constants, which later passes can fold into the filter.
Emitted EmitBatchNorm(LegalizeContext& context, const Emitted& x, const BatchNorm& norm,
                      std::string_view suffix);

}  // namespace linnet::converter
