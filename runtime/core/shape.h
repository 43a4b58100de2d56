// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "runtime/core/checked.h"
#include "runtime/core/dcheck.h"
#include "runtime/core/dtype.h"

namespace linnet {

inline constexpr int kMaxRank = 8;
// The largest product of a shape's nonzero extents. So no stride and no size in bytes overflows,
// nor does the product of two sizes of tensors that have elements in memory.
inline constexpr int64_t kMaxShapeElements = int64_t{1} << 40;

// Extents of a tensor, outermost first, row-major. Rank 0 is a scalar. Fixed capacity, no heap.
class Shape {
 public:
  constexpr Shape() = default;
  constexpr Shape(std::initializer_list<int64_t> dims) {
    for (int64_t d : dims) Append(d);
  }
  // REQUIRES: dims.size() <= kMaxRank
  constexpr explicit Shape(std::span<const int64_t> dims) {
    for (int64_t d : dims) Append(d);
  }

  constexpr int rank() const { return rank_; }
  constexpr int64_t operator[](int axis) const { return dims_[axis]; }
  constexpr int64_t& operator[](int axis) { return dims_[axis]; }
  constexpr int64_t back() const { return dims_[rank_ - 1]; }
  constexpr std::span<const int64_t> dims() const { return {dims_, static_cast<size_t>(rank_)}; }
  constexpr const int64_t* begin() const { return dims_; }
  constexpr const int64_t* end() const { return dims_ + rank_; }

  constexpr void Append(int64_t dim) {
    LINNET_DCHECK(rank_ < kMaxRank);
    dims_[rank_++] = dim;
  }

  // Product of dims [first, last). Only for shapes that NumElementsChecked has accepted.
  constexpr int64_t Product(int first, int last) const {
    int64_t n = 1;
    for (int i = first; i < last; ++i) n *= dims_[i];
    return n;
  }
  constexpr int64_t num_elements() const { return Product(0, rank_); }

  // False when a dim is negative or the product exceeds kMaxShapeElements.
  [[nodiscard]] bool NumElementsChecked(int64_t* out) const {
    int64_t n = 1;
    bool is_empty = false;
    for (int64_t d : dims()) {
      if (d < 0) return false;
      is_empty |= d == 0;
      // A dim of 0 counts as 1, because strides are products of the other dims.
      if (!CheckedMul(n, d == 0 ? 1 : d, &n) || n > kMaxShapeElements) return false;
    }
    *out = is_empty ? 0 : n;
    return true;
  }

  friend constexpr bool operator==(const Shape& a, const Shape& b) {
    return a.rank_ == b.rank_ && std::equal(a.begin(), a.end(), b.begin());
  }

 private:
  int64_t dims_[kMaxRank] = {};
  int32_t rank_ = 0;
};

// Element type and shape of a tensor.
struct TensorType {
  DType dtype = DType::kInvalid;
  Shape shape;

  // Bytes of a dense tensor; the shape must have passed NumElementsChecked.
  constexpr int64_t bytes() const { return shape.num_elements() * DTypeBytes(dtype); }
  friend bool operator==(const TensorType&, const TensorType&) = default;
};

}  // namespace linnet
