// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/dtype.h"
#include "runtime/core/parallel.h"

namespace linnet::kernels {

enum class ScatterKind { kUpdate, kAdd, kSub, kMul, kMax, kMin };

struct ScatterJob {
  ScatterKind kind;
  bool skip_negative;   // rows at a negative index are left out
  const int64_t* dims;  // the `depth` leading dimensions of out that a row of indices selects from
  int depth;
  int64_t count;  // index rows
  int64_t row;    // elements of a row: out's dimensions after those
};

// Combines row i of updates with row indices[i] of out, in order of i. Index: int32_t or int64_t;
// kUpdate takes any dtype, the others f32, i32 (wraps) and i64; kMax and kMin propagate NaN.
// False, with nothing written, when an index is out of range.
template <typename Index>
bool ScatterRows(const ScatterJob& job, DType dtype, const Index* indices, const void* updates,
                 void* out, const Parallel& parallel);

}  // namespace linnet::kernels
