// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>

#include "runtime/core/parallel.h"

// Functions that move bytes with all threads. They check between parts whether to stop. Counts may
// be 0.
namespace linnet::kernels {

// With fewer bytes a second thread costs more than it saves.
inline constexpr int64_t kBytesPerThread = 16 << 10;

// src and dst must not overlap.
inline void CopyBytes(const void* src, void* dst, int64_t bytes, const Parallel& parallel) {
  ParallelFor(parallel, bytes, kBytesPerThread, [&](int64_t begin, int64_t end) {
    std::memcpy(static_cast<char*>(dst) + begin, static_cast<const char*>(src) + begin,
                static_cast<size_t>(end - begin));
  });
}

inline void ZeroBytes(void* dst, int64_t bytes, const Parallel& parallel) {
  ParallelFor(parallel, bytes, kBytesPerThread, [&](int64_t begin, int64_t end) {
    std::memset(static_cast<char*>(dst) + begin, 0, static_cast<size_t>(end - begin));
  });
}

// Copies `rows` rows to `out`, row i from source(i), a char pointer. Rows of a single element need
// no call of memcpy; long rows are shared by threads.
template <typename Source>
void CopyRows(int64_t rows, int64_t row_bytes, char* out, const Parallel& parallel,
              const Source& source) {
  if (row_bytes == 0) return;
  if (row_bytes >= 4 * kBytesPerThread) {
    for (int64_t row = 0; row < rows; ++row)
      CopyBytes(source(row), out + row * row_bytes, row_bytes, parallel);
    return;
  }
  ParallelFor(parallel, rows, CeilDiv(kBytesPerThread, row_bytes), [&](int64_t begin, int64_t end) {
    if (row_bytes == 4) {
      for (; begin < end; ++begin) std::memcpy(out + begin * 4, source(begin), 4);
    } else if (row_bytes == 8) {
      for (; begin < end; ++begin) std::memcpy(out + begin * 8, source(begin), 8);
    } else {
      for (; begin < end; ++begin)
        std::memcpy(out + begin * row_bytes, source(begin), static_cast<size_t>(row_bytes));
    }
  });
}

}  // namespace linnet::kernels
