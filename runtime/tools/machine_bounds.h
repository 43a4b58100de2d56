// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

namespace linnet::tools {

// What a machine can do at most, with a number of threads. 0 where it could not be measured.
struct MachineBounds {
  double fma_gflops = 0.0;  // multiply-adds of f32 in registers; each counts as two operations
  // Of memory that no cache holds. Copying counts what is read and what is written.
  double read_gb_per_s = 0.0, copy_gb_per_s = 0.0;

  double memory_gb_per_s() const { return std::max(read_gb_per_s, copy_gb_per_s); }
};

// Measures for some 50 ms, on no more threads than this process may have cores, with the
// instructions that LINNET_ISA allows (core/instruction_set.h). The best of several short slices
// counts, because other processes only ever make a slice slower. Needs 64 MiB for that time, more
// where the last cache is larger than a quarter of it.
MachineBounds MeasureMachineBounds(int threads);

}  // namespace linnet::tools
