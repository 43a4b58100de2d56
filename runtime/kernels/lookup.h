// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/dtype.h"
#include "runtime/core/parallel.h"

namespace linnet::kernels {

// positions[i] is the index of queries[i] among num_keys strictly increasing keys, or num_keys if
// it is not one of them. dtype of queries and keys: i32 or i64. With i32, positions may be queries.
// For any keys, positions are in [0, num_keys].
void Lookup(DType dtype, const void* queries, int64_t num_queries, const void* keys,
            int64_t num_keys, int32_t* positions, const Parallel& parallel);

}  // namespace linnet::kernels
