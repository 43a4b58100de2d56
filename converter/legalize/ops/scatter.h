// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "converter/legalize/context/legalize_context.h"
#include "runtime/ops/scatter.h"

namespace linnet::converter {

// Scatter for every dtype: the narrow ones, which Scatter does not add up, go through i32.
Emitted EmitScatter(LegalizeContext& context, ScatterAttrs attrs, Emitted base, Emitted indices,
                    Emitted updates, std::string_view suffix = "");

// Numbers of rows as positions for Scatter: one more dimension, of one index.
Emitted EmitRowPositions(LegalizeContext& context, Output rows);
// [count]: how often each number below `count` occurs in the vector `rows`, as numbers of `dtype`.
Emitted EmitOccurrences(LegalizeContext& context, Output rows, const Extent& count, DType dtype,
                        const std::string& suffix);

}  // namespace linnet::converter
