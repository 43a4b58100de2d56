// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/scatter.h"

#include <cstring>
#include <type_traits>

#include "runtime/kernels/independent_loops.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 14;  // elements worth a thread

// The row of out that row `i` of indices selects, or -1.
template <typename Index>
int64_t RowOf(const ScatterJob& job, const Index* indices, int64_t i) {
  int64_t row = 0;
  for (int k = 0; k < job.depth; ++k) {
    const auto index = static_cast<int64_t>(indices[i * job.depth + k]);
    if (index < 0 || index >= job.dims[k]) return -1;
    row = row * job.dims[k] + index;
  }
  return row;
}

template <typename Index>
bool InRange(const ScatterJob& job, const Index* indices, Questions& questions) {
  for (int64_t i = 0; i < job.count * job.depth && !questions.Stop(4); ++i) {
    const auto index = static_cast<int64_t>(indices[i]);
    if (index >= job.dims[i % job.depth] || (index < 0 && !job.skip_negative)) return false;
  }
  return true;
}

// The unsigned type, whose sums wrap.
template <typename T>
using Wrapping = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                             std::type_identity<T>>::type;

template <typename T>
bool IsNan(T x) {
  if constexpr (std::is_floating_point_v<T>) return x != x;
  return false;
}

template <typename T>
void CombineRow(ScatterKind kind, const T* updates, int64_t count, T* out) {
  const auto each = [&](auto combine) {
    LINNET_VECTORIZE
    for (int64_t k = 0; k < count; ++k) out[k] = combine(out[k], updates[k]);
  };
  using W = Wrapping<T>;
  switch (kind) {
    case ScatterKind::kUpdate:
      return each([](T, T b) { return b; });
    case ScatterKind::kAdd:
      return each([](T a, T b) { return static_cast<T>(W(a) + W(b)); });
    case ScatterKind::kSub:
      return each([](T a, T b) { return static_cast<T>(W(a) - W(b)); });
    case ScatterKind::kMul:
      return each([](T a, T b) { return static_cast<T>(W(a) * W(b)); });
    case ScatterKind::kMax:
      return each([](T a, T b) { return ((a > b) | IsNan(a)) ? a : b; });
    case ScatterKind::kMin:
      return each([](T a, T b) { return ((a < b) | IsNan(a)) ? a : b; });
  }
}

// Calls row(from, to, elements) for every update. Threads divide the columns, so that the updates
// of a row stay in order.
template <typename Index, typename Row>
void ForEachUpdate(const ScatterJob& job, const Index* indices, const Parallel& parallel,
                   const Row& row) {
  if (job.count == 0) return;
  ParallelRanges(parallel, job.row, CeilDiv(kGrain, job.count), [&](int64_t begin, int64_t end) {
    Questions questions(parallel);
    for (int64_t i = 0; i < job.count && !questions.Stop(end - begin + job.depth); ++i) {
      const int64_t to = RowOf(job, indices, i);
      if (to >= 0) row(i * job.row + begin, to * job.row + begin, end - begin);
    }
  });
}

template <typename T, typename Index>
void RunAs(const ScatterJob& job, const Index* indices, const void* updates, void* out,
           const Parallel& parallel) {
  ForEachUpdate(job, indices, parallel, [&](int64_t from, int64_t to, int64_t count) {
    CombineRow(job.kind, static_cast<const T*>(updates) + from, count, static_cast<T*>(out) + to);
  });
}

}  // namespace

template <typename Index>
bool ScatterRows(const ScatterJob& job, DType dtype, const Index* indices, const void* updates,
                 void* out, const Parallel& parallel) {
  Questions questions(parallel);
  if (!InRange(job, indices, questions)) return false;
  if (parallel.Stopped()) return true;  // not all indices may have been checked
  if (job.kind == ScatterKind::kUpdate) {
    const int64_t bytes = DTypeBytes(dtype);
    ForEachUpdate(job, indices, parallel, [&](int64_t from, int64_t to, int64_t count) {
      std::memcpy(static_cast<char*>(out) + to * bytes,
                  static_cast<const char*>(updates) + from * bytes,
                  static_cast<size_t>(count * bytes));
    });
  } else if (dtype == DType::kFloat32) {
    RunAs<float>(job, indices, updates, out, parallel);
  } else if (dtype == DType::kInt32) {
    RunAs<int32_t>(job, indices, updates, out, parallel);
  } else {
    RunAs<int64_t>(job, indices, updates, out, parallel);
  }
  return true;
}

template bool ScatterRows(const ScatterJob&, DType, const int32_t*, const void*, void*,
                          const Parallel&);
template bool ScatterRows(const ScatterJob&, DType, const int64_t*, const void*, void*,
                          const Parallel&);

}  // namespace linnet::kernels
