// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/parallel.h"

namespace linnet::kernels {

// A dense tensor [outer, first, middle, second, row]: one of `first` and `second` is the number of
// sequences, the other one the number of steps.
struct ReverseSequenceJob {
  int64_t outer, first, middle, second, row_bytes;
  bool steps_first;  // steps are `first`, sequences `second`
};

// Copies rows, with the first lengths[sequence] steps of each sequence in reverse order. Index:
// int32_t or int64_t. False, with nothing written, when a length is negative or more than the
// steps.
template <typename Index>
bool ReverseSequence(const ReverseSequenceJob& job, const void* in, const Index* lengths, void* out,
                     const Parallel& parallel);

}  // namespace linnet::kernels
