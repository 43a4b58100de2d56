// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/gather.h"

#include <algorithm>

#include "runtime/kernels/copy_bytes.h"

namespace linnet::kernels {
template <typename Index>
bool GatherRows(const GatherSizes& s, const void* params, const Index* indices, void* out,
                const Parallel& parallel) {
  bool in_range = true;
  const bool all =
      InParts(parallel, 0, s.batch * s.count, kWorkPerQuestion, [&](int64_t begin, int64_t end) {
        in_range = in_range && std::all_of(indices + begin, indices + end, [&](Index index) {
                     return index >= 0 && static_cast<int64_t>(index) < s.dim;
                   });
      });
  if (!in_range || !all) return in_range;
  const auto* from = static_cast<const char*>(params);
  CopyRows(s.batch * s.outer * s.count, s.row_bytes, static_cast<char*>(out), parallel,
           [&](int64_t row) {
             const int64_t block = row / s.count, i = row % s.count, b = block / s.outer;
             return from + (block * s.dim + indices[b * s.count + i]) * s.row_bytes;
           });
  return true;
}

template <typename Index>
bool GatherNdRows(const GatherNdSizes& s, const void* params, const Index* indices, void* out,
                  const Parallel& parallel) {
  const int64_t rows = s.batch * s.count;
  Questions questions(parallel);
  for (int64_t row = 0; row < rows; ++row) {
    if (questions.Stop(s.depth)) return true;
    for (int k = 0; k < s.depth; ++k) {
      const auto index = static_cast<int64_t>(indices[row * s.depth + k]);
      if (index < 0 || index >= s.dims[k]) return false;
    }
  }
  const auto* from = static_cast<const char*>(params);
  CopyRows(rows, s.row_bytes, static_cast<char*>(out), parallel, [&](int64_t row) {
    int64_t source = row / s.count;  // the batch; count > 0 because there is a row
    for (int k = 0; k < s.depth; ++k) source = source * s.dims[k] + indices[row * s.depth + k];
    return from + source * s.row_bytes;
  });
  return true;
}

template bool GatherRows(const GatherSizes&, const void*, const int32_t*, void*, const Parallel&);
template bool GatherRows(const GatherSizes&, const void*, const int64_t*, void*, const Parallel&);
template bool GatherNdRows(const GatherNdSizes&, const void*, const int32_t*, void*,
                           const Parallel&);
template bool GatherNdRows(const GatherNdSizes&, const void*, const int64_t*, void*,
                           const Parallel&);

}  // namespace linnet::kernels
