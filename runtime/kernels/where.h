// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/dtype.h"
#include "runtime/core/parallel.h"
#include "runtime/core/shape.h"

namespace linnet::kernels {

// Writes the positions of the elements that are not zero in row-major order, one index per
// dimension each, and returns their number. dtype: bool, f32 or any integer. positions: room for
// all elements.
int64_t Where(DType dtype, const Shape& shape, const void* in, int64_t* positions,
              const Parallel& parallel);

}  // namespace linnet::kernels
