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
  // over rows need no special case. A scalar is a row of one element. An i64 is kept as an i32, and
  // one that has more bits as the nearest i32: enough for positions and for indices, which are out
  // of range either way, but not to compute with.
  kRows4 = 1,
  // As kRows4, but each f32 is kept in two bytes, as an IEEE binary16: half the memory and half the
  // traffic, for three decimal digits. Numbers beyond 65504, and infinities, become 65504 with
  // their sign. The dtype in the plan is f32 nevertheless.
  kRows4Half = 2,
};
inline constexpr int kNumLayouts = 3;

// True for the layouts whose rows are padded to quads.
constexpr bool HasRows4(Layout layout) { return layout != Layout::kDense; }

// As reports and the API call it.
constexpr const char* NameOf(Layout layout) {
  switch (layout) {
    case Layout::kDense:
      return "dense";
    case Layout::kRows4:
      return "rows4";
    case Layout::kRows4Half:
      return "rows4_half";
  }
  return "";
}

// Tensors, and the buffers that they lie in, start at multiples of this where rows are padded: a
// GPU cannot read or write a window of its memory that starts elsewhere.
inline constexpr int64_t kRows4Alignment = 256;

// A tensor starts at a multiple of this from the start of its buffer.
constexpr int64_t TensorAlignment(Layout layout, DType dtype) {
  return HasRows4(layout) ? kRows4Alignment : DTypeBytes(dtype);
}

// True when tensors of this dtype can lie in memory of this layout. Four bytes cannot hold an f64.
// Other narrow types than bool, which comparisons make, and u8, which images are, stay on the host:
// no shader reads them.
constexpr bool HasForm(Layout layout, DType dtype) {
  return layout == Layout::kDense || dtype == DType::kFloat32 || dtype == DType::kInt32 ||
         dtype == DType::kInt64 || dtype == DType::kBool || dtype == DType::kUint8;
}

// Elements of the last dimension.
constexpr int64_t LastExtent(const Shape& shape) { return shape.rank() == 0 ? 1 : shape.back(); }

// Elements of a row with its padding.
constexpr int64_t RowElements(Layout layout, int64_t last) {
  return HasRows4(layout) ? (last + 3) / 4 * 4 : last;
}

// The shape with the padding of its rows.
constexpr Shape PaddedShape(Layout layout, Shape shape) {
  if (HasRows4(layout) && shape.rank() == 0) return {4};
  if (shape.rank() > 0) shape[shape.rank() - 1] = RowElements(layout, shape[shape.rank() - 1]);
  return shape;
}

constexpr int64_t ElementBytes(Layout layout, DType dtype) {
  if (layout == Layout::kDense) return DTypeBytes(dtype);
  return layout == Layout::kRows4Half && dtype == DType::kFloat32 ? 2 : 4;
}

// Bytes of a tensor in a memory of this layout. The shape must have passed NumElementsChecked.
// Never overflows: a row grows at most fourfold.
constexpr int64_t BytesIn(Layout layout, const TensorType& type) {
  return type.shape.Product(0, type.shape.rank() - 1) *
         RowElements(layout, LastExtent(type.shape)) * ElementBytes(layout, type.dtype);
}

// True when both tensors have equally many bytes with each element at the same place, so that one
// can be read as the other: where rows are padded, when elements are equally large and rows are
// equal or have no padding.
constexpr bool SameElements(Layout layout, const TensorType& a, const TensorType& b) {
  if (layout == Layout::kDense) return a.bytes() == b.bytes();
  const int64_t row_a = LastExtent(a.shape), row_b = LastExtent(b.shape);
  return a.shape.num_elements() == b.shape.num_elements() &&
         ElementBytes(layout, a.dtype) == ElementBytes(layout, b.dtype) &&
         (row_a == row_b || (row_a % 4 == 0 && row_b % 4 == 0));
}

// True when a step that computes `to` element by element from `from` may write it to the same
// memory. Where rows are padded they must be equal, because a step writes whole rows, padding
// included.
constexpr bool CanOverwrite(Layout layout, const TensorType& from, const TensorType& to) {
  return SameElements(layout, from, to) &&
         (layout == Layout::kDense || LastExtent(from.shape) == LastExtent(to.shape));
}

}  // namespace linnet
