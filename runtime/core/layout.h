// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/shape.h"

namespace linnet {

// How the elements of a tensor lie in a memory. Each space of a program has one layout for all of
// its tensors. Values equal schema Layout in schema/plan.fbs. Append only.
enum class Layout : uint8_t {
  // Row-major without gaps, each element with the bytes of its dtype: the host's.
  kDense = 0,
  // For GPUs, which read and write four elements at once. Row-major; a row is the last dimension.
  // Each row is padded to a multiple of four elements, and each element has four bytes whatever its
  // dtype (bool and u8 are a u32 each). What writes a tensor writes 0 to the padding, so that sums
  // over rows need no special case. A scalar is a row of one element.
  kRows4 = 1,
};
inline constexpr int kNumLayouts = 2;

// Elements of a row with its padding.
constexpr int64_t RowElements(Layout layout, int64_t last) {
  return layout == Layout::kRows4 ? (last + 3) / 4 * 4 : last;
}

// The shape with the padding of its rows.
constexpr Shape PaddedShape(Layout layout, Shape shape) {
  if (layout == Layout::kRows4 && shape.rank() == 0) return {4};
  if (shape.rank() > 0) shape[shape.rank() - 1] = RowElements(layout, shape[shape.rank() - 1]);
  return shape;
}

constexpr int64_t ElementBytes(Layout layout, DType dtype) {
  return layout == Layout::kRows4 ? 4 : DTypeBytes(dtype);
}

// Bytes of a tensor in a memory of this layout. The shape must have passed NumElementsChecked.
// Never overflows: a row grows at most fourfold.
constexpr int64_t BytesIn(Layout layout, const TensorType& type) {
  return PaddedShape(layout, type.shape).num_elements() * ElementBytes(layout, type.dtype);
}

// True when both tensors of the same number of elements have the same bytes, so that one can be
// read as the other: in kRows4, when their rows are equal or have no padding.
constexpr bool SameElements(Layout layout, const TensorType& a, const TensorType& b) {
  if (layout == Layout::kDense) return a.bytes() == b.bytes();
  const int64_t row_a = a.shape.rank() == 0 ? 1 : a.shape.back();
  const int64_t row_b = b.shape.rank() == 0 ? 1 : b.shape.back();
  return a.shape.num_elements() == b.shape.num_elements() &&
         (row_a == row_b || (row_a % 4 == 0 && row_b % 4 == 0));
}

}  // namespace linnet
