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

// A stretch of `count` output elements with, for each input, as many elements that belong to them
// (repeated ones have been written out). out may equal in[i].
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

// Calls row(stretch, context) until every element of the output has been written once, on several
// threads if worth it. Dimensions are merged first, so the operation sees long stretches also for
// bias-like ([..., C] with [C]) and scalar inputs. `out` may be the data of an input that has as
// many elements as the output and elements of the same size.
void ForEachBroadcastRow(std::span<const BroadcastInput> inputs, const Shape& out_shape, void* out,
                         int64_t out_element_bytes,
                         void (*row)(const BroadcastRow& row, const void* context),
                         const void* context, const Parallel& parallel);

}  // namespace linnet::kernels
