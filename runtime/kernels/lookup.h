// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/dtype.h"
#include "runtime/core/parallel.h"

namespace linnet::kernels {

// positions[i] is where queries[i] stands among num_keys keys that rise strictly, or num_keys where
// it is none of them. dtype, of queries and keys: i32, i64. With i32, positions may be queries.
// Whatever the keys are, positions are in [0, num_keys].
void Lookup(DType dtype, const void* queries, int64_t num_queries, const void* keys,
            int64_t num_keys, int32_t* positions, const Parallel& parallel);

}  // namespace linnet::kernels
