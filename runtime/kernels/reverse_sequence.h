// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/parallel.h"

namespace linnet::kernels {

// A dense tensor [outer, first, middle, second, row]: one of `first` and `second` counts the
// sequences, the other one the steps.
struct ReverseSequenceJob {
  int64_t outer, first, middle, second, row_bytes;
  bool steps_first;  // steps are `first`, sequences `second`
};

// Copies rows, the first lengths[sequence] steps of each sequence backwards. Index: int32_t or
// int64_t. False, with nothing written, when a length is negative or longer than the steps.
template <typename Index>
bool ReverseSequence(const ReverseSequenceJob& job, const void* in, const Index* lengths, void* out,
                     const Parallel& parallel);

}  // namespace linnet::kernels
