// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/top_k.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/kernels/row_reductions.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 12;  // input elements worth a thread
// Elements of one row worth a thread, whose results another thread then compares once more.
constexpr int64_t kLeastPart = 1 << 14, kPartOfResults = 16;
constexpr int64_t kBlock = 64;  // elements that one test rejects

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

// Makes `column` one of the k in the heap if it comes before the last of them.
template <typename T>
void Offer(const T* row, int32_t column, int32_t* heap, int64_t k, Questions& questions) {
  // Rejects most elements. NaN (never <=) needs the full comparison.
  if (row[column] <= row[heap[0]] || !Before(row, column, heap[0])) return;
  heap[0] = column;
  if (!questions.Stop(kSiftWork)) SiftDown(row, heap, k, 0);
}

// True when none of kBlock elements is above `least`, and none is NaN.
template <typename T>
bool NoneAbove(const T* x, T least) {
  using L = Lanes<T>;
  const auto bound = L::Fill(least);
  auto below = L::Load(x) <= bound;
  for (int64_t i = L::kWidth; i < kBlock; i += L::kWidth) below &= L::Load(x + i) <= bound;
  uint64_t halves[2];
  std::memcpy(halves, &below, sizeof(halves));
  return (halves[0] & halves[1]) == ~uint64_t{0};
}

// The k columns of [begin, end) that come first, as a heap. k <= end - begin
template <typename T>
void TopOfRange(const T* row, int64_t begin, int64_t end, int64_t k, int32_t* heap,
                Questions& questions) {
  for (int64_t i = 0; i < k; ++i) heap[i] = static_cast<int32_t>(begin + i);
  for (int64_t i = k / 2 - 1; i >= 0; --i) {
    if (questions.Stop(kSiftWork)) return;
    SiftDown(row, heap, k, i);
  }
  for (int64_t c = begin + k; c < end; c += kBlock) {
    if (questions.Stop(kBlock)) return;
    const int64_t block = std::min(end - c, kBlock);
    if (block == kBlock && NoneAbove(row + c, row[heap[0]])) continue;
    for (int64_t i = 0; i < block; ++i) Offer(row, static_cast<int32_t>(c + i), heap, k, questions);
  }
}

// Sorts a heap, and reads its values.
template <typename T>
void FinishRow(const T* row, int64_t k, T* values, int32_t* heap, Questions& questions) {
  for (int64_t size = k - 1; size > 0; --size) {
    if (questions.Stop(kSiftWork)) return;
    std::swap(heap[0], heap[size]);
    SiftDown(row, heap, size, 0);
  }
  for (int64_t i = 0; i < k; ++i) values[i] = row[heap[i]];
}

// How many threads share a row: only with fewer rows than threads.
int64_t PartsOfRow(int64_t rows, int64_t cols, int64_t k, int64_t threads) {
  const int64_t most = cols / std::max(kLeastPart, kPartOfResults * k);
  return std::clamp<int64_t>(threads / std::max<int64_t>(rows, 1), 1, std::max<int64_t>(most, 1));
}

// The heap is in the output row itself and needs no temporary memory, except where several threads
// share the row. Which columns come first, and in which order, does not depend on the parts.
template <typename T>
void TopRows(const void* in, int64_t rows, int64_t cols, int64_t k, void* values, int32_t* indices,
             int32_t* heaps, const Parallel& parallel) {
  const T* from = static_cast<const T*>(in);
  T* to = static_cast<T*>(values);
  const int64_t parts = PartsOfRow(rows, cols, k, parallel.threads);
  if (parts > 1) {
    ParallelFor(parallel, rows * parts, 1, [&](int64_t begin, int64_t end) {
      Questions questions(parallel);
      for (int64_t i = begin; i < end; ++i) {
        const int64_t part = i % parts;
        TopOfRange(from + i / parts * cols, cols * part / parts, cols * (part + 1) / parts, k,
                   heaps + i * k, questions);
      }
    });
    if (parallel.Stopped()) return;
  }
  ParallelFor(parallel, rows, CeilDiv(kGrain, cols), [&](int64_t begin, int64_t end) {
    Questions questions(parallel);
    for (int64_t r = begin; r < end; ++r) {
      const T* row = from + r * cols;
      int32_t* heap = indices + r * k;
      if (parts == 1) {
        TopOfRange(row, 0, cols, k, heap, questions);
      } else {
        const int32_t* found = heaps + r * parts * k;
        std::copy_n(found, k, heap);
        for (int64_t i = k; i < parts * k && !questions.Stop(1); ++i)
          Offer(row, found[i], heap, k, questions);
      }
      FinishRow(row, k, to + r * k, heap, questions);
    }
  });
}

}  // namespace

int64_t TopKScratch(int64_t cols, int64_t k, int threads) {
  return PartsOfRow(1, cols, k, threads) == 1 ? 0 : threads * k * int64_t{sizeof(int32_t)};
}

void TopK(DType dtype, const void* in, int64_t rows, int64_t cols, int64_t k, void* values,
          int32_t* indices, void* scratch, const Parallel& parallel) {
  if (k == 0) return;
  const auto top = dtype == DType::kFloat32 ? TopRows<float>
                   : dtype == DType::kInt32 ? TopRows<int32_t>
                   : dtype == DType::kInt64 ? TopRows<int64_t>
                   : dtype == DType::kUint8 ? TopRows<uint8_t>
                                            : TopRows<int8_t>;
  top(in, rows, cols, k, values, indices, static_cast<int32_t*>(scratch), parallel);
}

}  // namespace linnet::kernels
