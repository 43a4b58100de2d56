// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/one_hot.h"

#include "runtime/kernels/cast.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 12;  // output elements worth a thread

struct Job {
  DType index_dtype;
  const uint8_t* indices;
  int64_t depth, inner;

  int64_t Index(int64_t i) const {
    int64_t index;
    Cast(index_dtype, indices + i * DTypeBytes(index_dtype), DType::kInt64, 1, &index);
    return index;
  }
};

template <typename T>
void Fill(const Job& job, const void* on, const void* off, void* out, int64_t begin, int64_t end) {
  const T yes = *static_cast<const T*>(on), no = *static_cast<const T*>(off);
  const int64_t size = job.depth * job.inner;
  T* to = static_cast<T*>(out);
  std::fill(to + begin * size, to + end * size, no);
  for (int64_t i = begin * job.inner; i < end * job.inner; ++i) {
    const int64_t index = job.Index(i);
    if (index < 0 || index >= job.depth) continue;
    to[i / job.inner * size + index * job.inner + i % job.inner] = yes;
  }
}

}  // namespace

void OneHot(DType index_dtype, const void* indices, int64_t outer, int64_t depth, int64_t inner,
            int64_t element_bytes, const void* on, const void* off, void* out,
            const Parallel& parallel) {
  if (outer * depth * inner == 0) return;
  const Job job{index_dtype, static_cast<const uint8_t*>(indices), depth, inner};
  const auto fill = element_bytes == 1   ? Fill<uint8_t>
                    : element_bytes == 2 ? Fill<uint16_t>
                    : element_bytes == 4 ? Fill<uint32_t>
                                         : Fill<uint64_t>;
  ParallelFor(parallel, outer, CeilDiv(kGrain, depth * inner),
              [&](int64_t begin, int64_t end) { fill(job, on, off, out, begin, end); });
}

}  // namespace linnet::kernels
