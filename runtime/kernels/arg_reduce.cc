// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/arg_reduce.h"

#include <limits>
#include <type_traits>

#include "runtime/kernels/cast.h"
#include "runtime/kernels/independent_loops.h"
#include "runtime/kernels/row_reductions.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 12;  // input elements worth a thread
constexpr int64_t kBlock = 256;      // elements processed together

// Reverses the order, so that the smallest element becomes the largest: -x for floats, ~x for
// integers.
template <typename T>
struct Turn {
  T flip;
  template <typename V>  // T or a vector of T
  V operator()(V x) const {
    if constexpr (std::is_floating_point_v<T>)
      return x * flip;
    else
      return x ^ flip;
  }
};
template <typename T>
constexpr T Flip(bool min) {
  if (std::is_floating_point_v<T>) return static_cast<T>(min ? -1 : 1);
  return static_cast<T>(min ? -1 : 0);
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

// First position of the largest element of the row at `offset`; 0 when none is above the lowest
// finite value, as in TensorFlow for rows of NaN or -inf. Finds the largest value first and then
// its position, because two simple loops are faster than one that tracks the position.
template <typename T>
int32_t SearchRow(const Job& job, int64_t offset, Turn<T> turn, Questions& questions) {
  T block[kBlock];
  T best = std::numeric_limits<T>::lowest();
  int64_t position = 0;
  const int64_t step = IsNarrow(job.dtype) ? kBlock : kWorkPerQuestion;
  for (int64_t begin = 0; begin < job.axis && !questions.Stop(step); begin += step) {
    const int64_t n = std::min(job.axis - begin, step);
    const T* x = job.Load(offset + begin, n, block);
    const T top = FoldRow(x, n, best, turn, Larger());
    if (top == best) continue;
    best = top;
    position = begin;
    while (turn(x[position - begin]) != best) ++position;
  }
  return static_cast<int32_t>(position);
}

// The same for `count` neighbouring columns, the first at `offset`.
template <typename T>
void SearchColumns(const Job& job, int64_t offset, int64_t count, Turn<T> turn, int32_t* positions,
                   Questions& questions) {
  T best[kBlock], block[kBlock];
  std::fill_n(best, count, std::numeric_limits<T>::lowest());
  std::fill_n(positions, count, 0);
  for (int64_t a = 0; a < job.axis; ++a, offset += job.inner) {
    if (questions.Stop(count)) return;
    const auto here = static_cast<int32_t>(a);
    const T* row = job.Load(offset, count, block);
    LINNET_VECTORIZE
    for (int64_t c = 0; c < count; ++c) {
      const T x = turn(row[c]);
      const bool better = x > best[c];
      best[c] = better ? x : best[c];
      positions[c] = better ? here : positions[c];
    }
  }
}

// Writes the positions of outputs [first, first + count), count <= kBlock, which belong to one
// outer index if inner > 1.
template <typename T>
void Search(const Job& job, int64_t first, int64_t count, int32_t* positions,
            Questions& questions) {
  const Turn<T> turn{Flip<T>(job.min)};
  if (job.inner == 1) {
    for (int64_t o = 0; o < count && !questions.Stop(job.axis); ++o)
      positions[o] = SearchRow<T>(job, (first + o) * job.axis, turn, questions);
    return;
  }
  const int64_t offset = first / job.inner * job.axis * job.inner + first % job.inner;
  SearchColumns<T>(job, offset, count, turn, positions, questions);
}

}  // namespace

void ArgReduce(DType dtype, const void* in, bool min, int64_t outer, int64_t axis, int64_t inner,
               DType out_dtype, void* out, const Parallel& parallel) {
  const Job job{dtype, static_cast<const uint8_t*>(in), min, axis, inner};
  const auto search = dtype == DType::kFloat32 ? Search<float>
                      : dtype == DType::kInt64 ? Search<int64_t>
                                               : Search<int32_t>;
  ParallelRanges(parallel, outer * inner, CeilDiv(kGrain, axis), [&](int64_t begin, int64_t end) {
    int32_t positions[kBlock] = {};
    Questions questions(parallel);
    while (begin < end && !questions.Stop(kBlock)) {
      int64_t n = std::min(end - begin, kBlock);
      if (inner > 1) n = std::min(n, inner - begin % inner);
      search(job, begin, n, positions, questions);
      Cast(DType::kInt32, positions, out_dtype, n,
           static_cast<uint8_t*>(out) + begin * DTypeBytes(out_dtype));
      begin += n;
    }
  });
}

}  // namespace linnet::kernels
