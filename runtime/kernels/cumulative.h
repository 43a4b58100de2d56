// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/dtype.h"
#include "runtime/core/parallel.h"

namespace linnet::kernels {

enum class CumulativeKind { kSum, kProduct, kLogSumExp };

// A dense tensor [outer, count, inner], accumulated along the middle.
struct CumulativeJob {
  CumulativeKind kind;
  int64_t outer, count, inner;
  bool exclusive, reverse;
};

// f32, i32 (wraps), i64; LogSumExp f32 only. out may be in.
void Cumulative(const CumulativeJob& job, DType dtype, const void* in, void* out,
                const Parallel& parallel);

}  // namespace linnet::kernels
