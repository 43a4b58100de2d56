// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/reverse_sequence.h"

#include "runtime/kernels/copy_bytes.h"

namespace linnet::kernels {
template <typename Index>
bool ReverseSequence(const ReverseSequenceJob& job, const void* in, const Index* lengths, void* out,
                     const Parallel& parallel) {
  const int64_t sequences = job.steps_first ? job.second : job.first;
  const int64_t steps = job.steps_first ? job.first : job.second;
  for (int64_t i = 0; i < sequences; ++i) {
    if (lengths[i] < 0 || static_cast<int64_t>(lengths[i]) > steps) return false;
  }
  if (job.row_bytes == 0) return true;
  const int64_t step_rows = job.steps_first ? job.middle * job.second : 1;
  const auto* from = static_cast<const char*>(in);
  CopyRows(job.outer * job.first * job.middle * job.second, job.row_bytes, static_cast<char*>(out),
           parallel, [&](int64_t row) {
             const int64_t second = row % job.second;
             const int64_t first = row / (job.second * job.middle) % job.first;
             const int64_t step = job.steps_first ? first : second;
             const int64_t length = lengths[job.steps_first ? second : first];
             const int64_t source = step < length ? length - 1 - step : step;
             return from + (row + (source - step) * step_rows) * job.row_bytes;
           });
  return true;
}

template bool ReverseSequence(const ReverseSequenceJob&, const void*, const int32_t*, void*,
                              const Parallel&);
template bool ReverseSequence(const ReverseSequenceJob&, const void*, const int64_t*, void*,
                              const Parallel&);

}  // namespace linnet::kernels
