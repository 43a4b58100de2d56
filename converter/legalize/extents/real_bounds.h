// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "converter/legalize/extents/integer_bounds.h"

namespace linnet::converter {

// Bounds, both inclusive, that hold for all elements of a float tensor.
struct RealBounds {
  float min = 0, max = 0;
};

// Bounds of floats that are computed from integers of known bounds, such as half of a height as a
// float. nullopt where none are known. They are computed as the run computes, in float32
// (optimize/merge_affine.cc leaves such chains as they are), and all ops that are followed are
// monotonic in each operand, so no rounding leads beyond them.
std::optional<RealBounds> FindRealBounds(Output value, const IntegerBounds& integers);

}  // namespace linnet::converter
