// SPDX-License-Identifier: Apache-2.0
// The walk over a tensor of which some axes are reduced.
#pragma once
#include <algorithm>
#include <cstdint>

#include "runtime/core/shape.h"

namespace linnet::kernels {

// The input's dimensions, outermost first: without extents of 1, and with neighbours merged that
// are both kept or both reduced.
struct Axes {
  int rank = 0;
  int64_t dims[kMaxRank];
  int64_t strides[kMaxRank];  // in elements

  void Append(int64_t dim, int64_t stride) {
    dims[rank] = dim;
    strides[rank++] = stride;
  }
  void Reverse() {
    std::reverse(dims, dims + rank);
    std::reverse(strides, strides + rank);
  }
  int64_t count() const {
    int64_t n = 1;
    for (int axis = 0; axis < rank; ++axis) n *= dims[axis];
    return n;
  }
};

// Steps through the outermost `rank` axes in row-major order and tracks the element offset.
class Odometer {
 public:
  Odometer(const Axes& axes, int rank, int64_t position) : axes_(axes), rank_(rank) {
    for (int axis = rank - 1; axis >= 0; --axis) {
      index_[axis] = position % axes.dims[axis];
      position /= axes.dims[axis];
      offset_ += index_[axis] * axes.strides[axis];
    }
  }
  int64_t offset() const { return offset_; }
  void Next() {  // wraps to the start after the end
    for (int axis = rank_ - 1; axis >= 0; --axis) {
      offset_ += axes_.strides[axis];
      if (++index_[axis] < axes_.dims[axis]) return;
      offset_ -= axes_.strides[axis] * axes_.dims[axis];
      index_[axis] = 0;
    }
  }

 private:
  const Axes& axes_;
  int rank_;
  int64_t index_[kMaxRank] = {};
  int64_t offset_ = 0;
};

}  // namespace linnet::kernels
