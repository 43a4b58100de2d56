// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "converter/legalize/context/building_blocks.h"

// Complex tensors as translators see them that compute with them: tensors of pairs
// (context/complex_pairs.h). A column is one of the two parts, with an extent of 1 in place of the
// pairs; columns broadcast against each other and against pairs.
namespace linnet::converter {

// The real parts (0) or the imaginary ones (1) of a tensor of pairs. Where they are known to be 0
// everywhere, the column is a vector of a single 0.
Emitted EmitColumn(LegalizeContext& context, const Emitted& pairs, int part,
                   std::string_view suffix);
// A part without the dimension of the pairs.
Emitted EmitPart(LegalizeContext& context, Output pairs, int part, std::string_view suffix);
// A real tensor with one more dimension.
Emitted EmitAsColumn(LegalizeContext& context, const Emitted& x, std::string_view suffix);
// The columns, broadcast against each other, as pairs.
Emitted EmitPairs(LegalizeContext& context, const Emitted& real, const Emitted& imaginary,
                  std::string_view suffix = "");
// Are all imaginary parts known to be 0?
bool IsReal(const LegalizeContext& context, Output pairs);

// x + y is that of floats. x * y, 1 / y, the conjugates, and i * x:
Emitted EmitComplexProduct(LegalizeContext& context, const Emitted& x, const Emitted& y,
                           std::string_view suffix = "");
Emitted EmitComplexInverse(LegalizeContext& context, const Emitted& y,
                           std::string_view suffix = "");
Emitted EmitConjugate(LegalizeContext& context, const Emitted& x, std::string_view suffix = "");
Emitted EmitTurned(LegalizeContext& context, const Emitted& x, std::string_view suffix);
// The absolute values, as a column or without the dimension of the pairs.
Emitted EmitMagnitude(LegalizeContext& context, const Emitted& x, bool as_column,
                      std::string_view suffix = "");

}  // namespace linnet::converter
