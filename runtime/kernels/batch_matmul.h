// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"
#include "runtime/core/shape.h"

namespace linnet::kernels {

// out[..., m, n] = sum over k of a[..., m, k] * b[..., k, n] for every batch index.
struct BatchMatMulShape {
  int64_t rows, cols, depth;      // m, n, k
  bool transpose_a, transpose_b;  // a is stored [..., k, m], b is stored [..., n, k]
  Shape batch;                    // leading dimensions of the output
  // By batch dimension: matrices from one index to the next; 0 where the operand is broadcast.
  int64_t a_stride[kMaxRank] = {};
  int64_t b_stride[kMaxRank] = {};
  int64_t b_matrices;  // matrices that b stores

  int64_t num_matrices() const { return batch.num_elements(); }
};

// For `packed`: every matrix that b stores, in panels (kernels/gemm.h).
int64_t PackedBatchMatMulFloats(const BatchMatMulShape& shape);
void PackBatchMatMul(const BatchMatMulShape& shape, const float* b, float* packed);

// Where the matrices of b come from.
enum class OperandB {
  kPacked,       // PackBatchMatMul packed them all
  kPackedInRun,  // from b, of which a few columns at a time are packed into scratch
  kPlain,        // from b
};
// `b`: packed or as the op has it. Scratch is aligned to 64 bytes.
int64_t BatchMatMulScratchBytes(const BatchMatMulShape& shape, OperandB form, int threads);
void BatchMatMul(const BatchMatMulShape& shape, const float* a, const float* b, OperandB form,
                 float* out, void* scratch, const Parallel& parallel);

// Integers wrap.
void BatchMatMul(const BatchMatMulShape& shape, const int32_t* a, const int32_t* b, int32_t* out,
                 const Parallel& parallel);

}  // namespace linnet::kernels
