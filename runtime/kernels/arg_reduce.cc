// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/arg_reduce.h"

#include <limits>
#include <type_traits>

#include "runtime/kernels/cast.h"
#include "runtime/kernels/lanes.h"
#include "runtime/kernels/vectorize.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 14;  // input elements worth a thread
constexpr int64_t kBlock = 256;      // elements looked at together

// The smallest element is the largest after turning the order round: -x for floats, ~x for
// integers.
template <typename T>
inline T Turn(T x, T flip) {
  if constexpr (std::is_floating_point_v<T>)
    return x * flip;
  else
    return x ^ flip;
}
template <typename T>
constexpr T Flip(bool min) {
  if (std::is_floating_point_v<T>) return static_cast<T>(min ? -1 : 1);
  return static_cast<T>(min ? -1 : 0);
}

// Largest of x[0, count) if above `best`, and its first position.
template <typename T>
bool FindBetter(const T* x, int64_t count, T flip, T* best, int64_t* position) {
  T lanes[kLanes];
  for (T& lane : lanes) lane = *best;
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int l = 0; l < kLanes; ++l) {
      const T v = Turn(x[i + l], flip);
      lanes[l] = v > lanes[l] ? v : lanes[l];
    }
  }
  T top = *best;
  for (; i < count; ++i) top = Turn(x[i], flip) > top ? Turn(x[i], flip) : top;
  for (const T lane : lanes) top = lane > top ? lane : top;
  if (top == *best) return false;
  for (i = 0; Turn(x[i], flip) != top;) ++i;
  *best = top;
  *position = i;
  return true;
}

struct Job {
  DType dtype;
  const uint8_t* in;
  bool min;
  int64_t axis, inner;

  // Elements [offset, offset + count) as T; narrow ones are widened into `block`.
  template <typename T>
  const T* Load(int64_t offset, int64_t count, T* block) const {
    const uint8_t* from = in + offset * DTypeBytes(dtype);
    if constexpr (std::is_same_v<T, int32_t>) {
      if (IsNarrow(dtype)) {
        WidenToInt32(dtype, from, count, block);
        return block;
      }
    }
    return reinterpret_cast<const T*>(from);
  }
};

// Writes the positions of outputs [first, first + count), count <= kBlock, of one outer index.
template <typename T>
void Search(const Job& job, int64_t first, int64_t count, int32_t* positions) {
  const T flip = Flip<T>(job.min);
  T best[kBlock], block[kBlock];
  for (int64_t c = 0; c < count; ++c) {
    best[c] = std::numeric_limits<T>::lowest();
    positions[c] = 0;
  }
  if (job.inner == 1) {
    for (int64_t begin = 0; begin < job.axis; begin += kBlock) {
      const int64_t n = std::min(job.axis - begin, kBlock);
      int64_t position;
      if (FindBetter(job.Load(first * job.axis + begin, n, block), n, flip, best, &position))
        positions[0] = static_cast<int32_t>(begin + position);
    }
    return;
  }
  int64_t offset = first / job.inner * job.axis * job.inner + first % job.inner;
  for (int64_t a = 0; a < job.axis; ++a, offset += job.inner) {
    const auto here = static_cast<int32_t>(a);
    const T* row = job.Load(offset, count, block);
    LINNET_VECTORIZE
    for (int64_t c = 0; c < count; ++c) {
      const T x = Turn(row[c], flip);
      const bool better = x > best[c];
      best[c] = better ? x : best[c];
      positions[c] = better ? here : positions[c];
    }
  }
}

}  // namespace

void ArgReduce(DType dtype, const void* in, bool min, int64_t outer, int64_t axis, int64_t inner,
               DType out_dtype, void* out, const Parallel& parallel) {
  const Job job{dtype, static_cast<const uint8_t*>(in), min, axis, inner};
  const auto search = dtype == DType::kFloat32 ? Search<float>
                      : dtype == DType::kInt64 ? Search<int64_t>
                                               : Search<int32_t>;
  ParallelFor(parallel, outer * inner, CeilDiv(kGrain, axis), [&](int64_t begin, int64_t end) {
    int32_t positions[kBlock];
    while (begin < end) {
      const int64_t n = inner == 1 ? 1 : std::min({inner - begin % inner, end - begin, kBlock});
      search(job, begin, n, positions);
      Cast(DType::kInt32, positions, out_dtype, n,
           static_cast<uint8_t*>(out) + begin * DTypeBytes(out_dtype));
      begin += n;
    }
  });
}

}  // namespace linnet::kernels
