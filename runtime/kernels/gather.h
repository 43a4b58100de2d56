// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"

namespace linnet::kernels {

struct GatherSizes {
  int64_t batch;      // leading dimensions that params and indices share
  int64_t outer;      // params' dimensions between the batch and the gathered one
  int64_t dim;        // the gathered dimension
  int64_t count;      // indices per batch
  int64_t row_bytes;  // params' dimensions after the gathered one
};

// out[b][o][i] = params[b][o][indices[b][i]], rows of row_bytes. Index: int32_t or int64_t.
// False, with nothing written, when an index is outside [0, dim).
template <typename Index>
bool GatherRows(const GatherSizes& sizes, const void* params, const Index* indices, void* out,
                const Parallel& parallel);

struct GatherNdSizes {
  int64_t batch;
  const int64_t* dims;  // the `depth` dimensions of params that a row of indices selects from
  int depth;
  int64_t count;      // index rows per batch
  int64_t row_bytes;  // params' dimensions after those
};

// out[b][i] = params[b][indices[b][i][0], ..., indices[b][i][depth-1]], rows of row_bytes.
// False, with nothing written, when an index is out of range.
template <typename Index>
bool GatherNdRows(const GatherNdSizes& sizes, const void* params, const Index* indices, void* out,
                  const Parallel& parallel);

}  // namespace linnet::kernels
