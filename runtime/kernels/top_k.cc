// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/top_k.h"

#include <utility>

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 12;  // input elements worth a thread

constexpr int64_t kSiftWork = 64;  // work of SiftDown in a large heap, whose steps miss the cache

// True when column a comes before column b in the result.
template <typename T>
inline bool Before(const T* row, int32_t a, int32_t b) {
  const T x = row[a], y = row[b];
  const bool x_nan = x != x, y_nan = y != y;
  if (x_nan != y_nan) return x_nan;
  if (x == y || x_nan) return a < b;
  return x > y;
}

// Restores the heap after heap[at] was replaced. Its root is the column that is replaced first.
template <typename T>
void SiftDown(const T* row, int32_t* heap, int64_t size, int64_t at) {
  const int32_t moved = heap[at];
  for (int64_t child = 2 * at + 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && Before(row, heap[child], heap[child + 1])) ++child;
    if (!Before(row, moved, heap[child])) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moved;
}

// The heap is in the output row itself and needs no temporary memory.
template <typename T>
void TopOfRow(const T* row, int64_t cols, int64_t k, T* values, int32_t* heap,
              Questions& questions) {
  for (int64_t i = 0; i < k; ++i) heap[i] = static_cast<int32_t>(i);
  for (int64_t i = k / 2 - 1; i >= 0; --i) {
    if (questions.Stop(kSiftWork)) return;
    SiftDown(row, heap, k, i);
  }
  for (int64_t begin = k; begin < cols; begin += kGrain) {
    if (questions.Stop(kGrain)) return;
    for (int64_t c = begin; c < std::min(begin + kGrain, cols); ++c) {
      // Rejects most elements. NaN (never <=) needs the full comparison.
      if (row[c] <= row[heap[0]] || !Before(row, static_cast<int32_t>(c), heap[0])) continue;
      heap[0] = static_cast<int32_t>(c);
      if (questions.Stop(kSiftWork)) return;
      SiftDown(row, heap, k, 0);
    }
  }
  for (int64_t size = k - 1; size > 0; --size) {
    if (questions.Stop(kSiftWork)) return;
    std::swap(heap[0], heap[size]);
    SiftDown(row, heap, size, 0);
  }
  for (int64_t i = 0; i < k; ++i) values[i] = row[heap[i]];
}

template <typename T>
void TopRows(const void* in, int64_t rows, int64_t cols, int64_t k, void* values, int32_t* indices,
             const Parallel& parallel) {
  const T* from = static_cast<const T*>(in);
  T* to = static_cast<T*>(values);
  ParallelFor(parallel, rows, CeilDiv(kGrain, cols), [&](int64_t begin, int64_t end) {
    Questions questions(parallel);
    for (int64_t r = begin; r < end; ++r)
      TopOfRow(from + r * cols, cols, k, to + r * k, indices + r * k, questions);
  });
}

}  // namespace

void TopK(DType dtype, const void* in, int64_t rows, int64_t cols, int64_t k, void* values,
          int32_t* indices, const Parallel& parallel) {
  if (k == 0) return;
  const auto top = dtype == DType::kFloat32 ? TopRows<float>
                   : dtype == DType::kInt32 ? TopRows<int32_t>
                   : dtype == DType::kInt64 ? TopRows<int64_t>
                   : dtype == DType::kUint8 ? TopRows<uint8_t>
                                            : TopRows<int8_t>;
  top(in, rows, cols, k, values, indices, parallel);
}

}  // namespace linnet::kernels
