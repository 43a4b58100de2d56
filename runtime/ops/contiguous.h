// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/shape.h"

namespace linnet {

// The number of elements between the start of a tensor of shape `whole` and its part [begin, begin
// + size), or -1 when the elements of the part are not contiguous. They are when, for some axis,
// the part has extent 1 in the dimensions before it and the whole extent in those after it. By this
// rule the memory planner places slices inside their source and inputs inside their concatenation,
// and the verifier accepts no other overlap.
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
