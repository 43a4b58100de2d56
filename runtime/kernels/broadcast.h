// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/core/parallel.h"
#include "runtime/core/shape.h"

namespace linnet::kernels {

inline constexpr int kMaxBroadcastInputs = 3;

// One input of an elementwise operation: dense, row-major, broadcasting to the output's shape.
struct BroadcastInput {
  const Shape& shape;
  const void* data;
  int64_t element_bytes;  // 1, 2, 4 or 8
};

// A run of `count` contiguous output elements and, for each input, the elements that belong to them
// (repeated elements are copied out). out may equal in[i].
struct BroadcastRow {
  const void* in[kMaxBroadcastInputs];
  void* out;
  int64_t count;

  template <typename T>
  const T* input(int i) const {
    return static_cast<const T*>(in[i]);
  }
  template <typename T>
  T* output() const {
    return static_cast<T*>(out);
  }
};

// Calls row(run, context) for runs that together cover the output, on several threads if it pays.
// Dimensions are merged first, so runs are long also for inputs like a bias ([..., C] with [C]) and
// for scalars. `out` may be the data of an input with as many elements of the same size as the
// output.
void ForEachBroadcastRow(std::span<const BroadcastInput> inputs, const Shape& out_shape, void* out,
                         int64_t out_element_bytes,
                         void (*row)(const BroadcastRow& row, const void* context),
                         const void* context, const Parallel& parallel);

}  // namespace linnet::kernels
