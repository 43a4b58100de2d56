// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "converter/legalize/context/legalize_context.h"
#include "runtime/ops/scatter.h"

namespace linnet::converter {

// Scatter for every dtype: the narrow ones, which Scatter does not add up, go through i32.
Emitted EmitScatter(LegalizeContext& context, ScatterAttrs attrs, Emitted base, Emitted indices,
                    Emitted updates, std::string_view suffix = "");

}  // namespace linnet::converter
