// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/parallel.h"

namespace linnet::kernels {

enum class FourierKind { kForward, kInverse, kRealForward, kRealInverse };

struct FourierJob {
  FourierKind kind;
  int64_t rows, length;
};

// Size of the table of angles, which depends on kind and length but not on the number of rows.
// INT64_MAX on overflow.
int64_t FourierTableBytes(const FourierJob& job);
void MakeFourierTable(const FourierJob& job, float* table);

int64_t FourierScratch(const FourierJob& job, int threads);

// Discrete Fourier transforms of rows in time O(n log n), in the layouts of runtime/ops/fourier.h.
// RealInverse does not read the imaginary parts that are 0 in the transform of real numbers.
// scratch: FourierScratch bytes, aligned to 64 bytes; out must not be in.
void Fourier(const FourierJob& job, const float* in, const float* table, void* scratch, float* out,
             const Parallel& parallel);

}  // namespace linnet::kernels
