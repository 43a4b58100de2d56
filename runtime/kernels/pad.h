// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"
#include "runtime/core/shape.h"

namespace linnet::kernels {

enum class PadBorder {
  kConstant,
  kReflect,    // mirrored about the outermost element, which is not repeated: cb|abc|ba
  kSymmetric,  // mirrored about the edge: ba|abc|cb
};

// out = in with before[i] and after[i] elements added along dimension i. Constant borders are
// filled with the element `value` (element_bytes of 1, 2, 4 or 8). Mirrored borders must not be
// wider than the input allows. in may already be at its place inside out if it is contiguous there.
void Pad(const void* in, const Shape& in_shape, void* out, const Shape& before, const Shape& after,
         int64_t element_bytes, PadBorder border, const void* value, const Parallel& parallel);

}  // namespace linnet::kernels
