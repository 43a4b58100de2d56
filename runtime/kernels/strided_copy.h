// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"
#include "runtime/core/shape.h"

namespace linnet::kernels {

// Describes a copy as nested loops, outermost first. Strides are in bytes. A source stride may be 0
// (repeat) or negative (reverse); destination elements must be distinct.
struct CopyBox {
  static constexpr int kCapacity = 2 * kMaxRank;  // Tile needs two loops per dimension
  int rank = 0;
  int64_t extent[kCapacity] = {};
  int64_t src_stride[kCapacity] = {};
  int64_t dst_stride[kCapacity] = {};

  void Append(int64_t n, int64_t src, int64_t dst = 0) {
    LINNET_DCHECK(rank < kCapacity);
    extent[rank] = n;
    src_stride[rank] = src;
    dst_stride[rank++] = dst;
  }
  // Makes the destination dense and row-major.
  void SetDenseDst(int64_t element_bytes) {
    for (int i = rank - 1; i >= 0; --i) {
      dst_stride[i] = element_bytes;
      element_bytes *= extent[i];
    }
  }
};

// Bytes from one index of each dimension to the next in a dense row-major tensor. A dimension of 0
// counts as 1.
Shape DenseStrides(const Shape& shape, int64_t element_bytes);

// Copies the box's elements from src to dst. Elements have 1, 2, 4 or 8 bytes and need not be
// aligned. src and dst must not overlap, unless all elements are already in place: then nothing is
// done. Neighbouring loops are merged first, and contiguous runs are copied with memcpy; a box that
// swaps the innermost dimension with another one is copied in square tiles.
void StridedCopy(const CopyBox& box, int64_t element_bytes, const void* src, void* dst,
                 const Parallel& parallel);

}  // namespace linnet::kernels
