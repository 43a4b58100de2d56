// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/shape.h"

namespace linnet {

// Elements from the start of a tensor of shape `whole` to its part [begin, begin + size), or -1
// when the part is not one run of elements: the dimensions before some axis must be 1 in the part
// and those behind it complete. The memory planner lays concatenated inputs and slices inside each
// other by this rule, and the verifier accepts no other overlap.
inline int64_t ContiguousOffset(const Shape& whole, const Shape& begin, const Shape& size) {
  int axis = 0;
  while (axis < whole.rank() && size[axis] == 1) ++axis;
  for (int i = axis + 1; i < whole.rank(); ++i)
    if (size[i] != whole[i]) return -1;
  int64_t elements = 0;
  for (int i = 0; i < whole.rank(); ++i) elements = elements * whole[i] + begin[i];
  return elements;
}

}  // namespace linnet
