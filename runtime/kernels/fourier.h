// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/parallel.h"

namespace linnet::kernels {

enum class FourierKind { kForward, kInverse, kRealForward, kRealInverse };

struct FourierJob {
  FourierKind kind;
  int64_t rows, length;
};

// The angles that a kind and length need; any number of rows can use them. INT64_MAX where that is
// too many bytes.
int64_t FourierTableBytes(const FourierJob& job);
void MakeFourierTable(const FourierJob& job, float* table);

int64_t FourierScratch(const FourierJob& job, int threads);

// Discrete Fourier transforms of rows in time n log n, in the layouts of runtime/ops/fourier.h.
// RealInverse does not read the imaginary parts that are 0 in the transform of real numbers.
// scratch: aligned to 64 bytes; out is not in.
void Fourier(const FourierJob& job, const float* in, const float* table, void* scratch, float* out,
             const Parallel& parallel);

}  // namespace linnet::kernels
