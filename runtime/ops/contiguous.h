// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/layout.h"

namespace linnet {

// The number of elements between the start of a tensor of shape `whole` and its part [begin, begin
// + size), or -1 when the elements of the part are not contiguous. They are when, for some axis,
// the part has extent 1 in the dimensions before it and the whole extent in those after it.
inline int64_t ContiguousOffset(const Shape& whole, const Shape& begin, const Shape& size) {
  int axis = 0;
  while (axis < whole.rank() && size[axis] == 1) ++axis;
  for (int i = axis + 1; i < whole.rank(); ++i)
    if (size[i] != whole[i]) return -1;
  int64_t elements = 0;
  for (int i = 0; i < whole.rank(); ++i) elements = elements * whole[i] + begin[i];
  return elements;
}

// The number of bytes between the start of a tensor of type `whole` and its part [begin, begin +
// size), or -1 when the part does not lie there as a tensor of its own would. By this rule the
// memory planner places slices inside their source and inputs inside their concatenation, and the
// verifier accepts no other overlap.
//
// Where rows are padded the part consists of whole rows, or of a piece of one row that has padding
// only where the whole row has it too, and starts where a tensor may.
inline int64_t PartOffset(Layout layout, const TensorType& whole, const Shape& begin,
                          const Shape& size) {
  const int rank = whole.shape.rank();
  if (HasRows4(layout) && rank > 0) {
    const int64_t first = begin[rank - 1], row = size[rank - 1];
    if (first % 4 != 0 || (row % 4 != 0 && first + row != whole.shape.back())) return -1;
  }
  const int64_t elements =
      ContiguousOffset(PaddedShape(layout, whole.shape), begin, PaddedShape(layout, size));
  if (elements < 0) return -1;
  const int64_t bytes = elements * ElementBytes(layout, whole.dtype);
  return bytes % TensorAlignment(layout, whole.dtype) == 0 ? bytes : -1;
}

}  // namespace linnet
