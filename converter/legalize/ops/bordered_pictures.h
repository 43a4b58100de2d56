// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "converter/legalize/context/legalize_context.h"

// Pixels at positions that a run computes. Around the pictures lies a border, one pixel wide, in
// which all positions beyond them end, so that positions are bounded and gathered without masks.
namespace linnet::converter {

// Input 0 or a Cast of it, with a border of `fill`: [batch, pixels, channels].
Emitted EmitBordered(LegalizeContext& context, const Emitted& pictures, double fill);

// Whole positions along a side of `size` pixels, in float, counted from the border, as i32.
Emitted EmitFromBorder(LegalizeContext& context, const Emitted& positions, int64_t size);

// A pixel each of bordered pictures, [batch, pixels taken, channels]. `rows` and `columns`, counted
// from the border, broadcast to what has shape `taken`: [pixels], the same of all pictures, or
// [batch, pixels].
Emitted EmitPixelsAt(LegalizeContext& context, const Emitted& bordered, const Emitted& rows,
                     const Emitted& columns, const Shape& taken);

}  // namespace linnet::converter
