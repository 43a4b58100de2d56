// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/dtype.h"
#include "runtime/core/parallel.h"

namespace linnet::kernels {

// out (outer x depth x inner) is *on where indices[outer][inner] equals the position along depth,
// *off elsewhere; an index outside [0, depth) matches nothing. index_dtype: i32, i64, u8.
// on, off: one element of element_bytes (1, 2, 4 or 8) each.
void OneHot(DType index_dtype, const void* indices, int64_t outer, int64_t depth, int64_t inner,
            int64_t element_bytes, const void* on, const void* off, void* out,
            const Parallel& parallel);

}  // namespace linnet::kernels
