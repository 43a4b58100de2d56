// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"
#include "runtime/kernels/gemm.h"

namespace linnet::kernels {

// out[m][o] = clamp(bias[o] + sum over k of in[m][k] * filter[o][k]): in [rows, depth], bias [cols]
// or null, out [rows, cols].
struct FullyConnectedShape {
  int64_t rows, depth, cols;
};

// `packed` holds PackedFloats(depth, cols) floats (kernels/gemm.h) made from filter [cols, depth].
void PackFullyConnected(const FullyConnectedShape& shape, const float* filter, float* packed,
                        const Parallel& parallel);

// The filter is what PackFullyConnected packs, or has packed.
void FullyConnected(const FullyConnectedShape& shape, const float* in, const Filter& filter,
                    const float* bias, float min, float max, float* out, const Parallel& parallel);

}  // namespace linnet::kernels
