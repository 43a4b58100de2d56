// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "runtime/core/checked.h"

namespace linnet {

// How kernels reach threads. The session fills it in (its team, a pthreadpool that was lent to it, or
// nothing); a default-constructed Parallel runs everything on the caller.
struct Parallel {
  int threads = 1;  // >= 1
  void* pool = nullptr;
  // Calls task(context, i) for every i in [0, tasks), in any order, on any thread, and returns
  // when all are done. Never allocates.
  void (*run)(void* pool, void (*task)(void* context, int64_t index), void* context,
              int64_t tasks) = nullptr;
};

// A thread that is done early helps with the ranges of the others.
inline constexpr int64_t kRangesPerThread = 4;

// Calls body(begin, end) over disjoint ranges that cover [0, count). `grain` is the smallest range
// worth a thread. Results must not depend on the split: one output element, one range, and sums in
// an order fixed by the shape, so that any thread count gives the same bits.
template <typename Body>
void ParallelFor(const Parallel& parallel, int64_t count, int64_t grain, const Body& body) {
  if (count <= 0) return;
  const int64_t ranges = std::min<int64_t>(kRangesPerThread * parallel.threads,
                                           CeilDiv(count, std::max<int64_t>(grain, 1)));
  if (ranges <= 1 || parallel.threads <= 1 || parallel.run == nullptr)
    return body(int64_t{0}, count);
  struct Context {
    const Body* body;
    int64_t count, ranges;
  } context{&body, count, ranges};
  parallel.run(
      parallel.pool,
      [](void* raw, int64_t index) {
        const Context& c = *static_cast<const Context*>(raw);
        const int64_t base = c.count / c.ranges, extra = c.count % c.ranges;
        const int64_t begin = index * base + std::min(index, extra);
        (*c.body)(begin, begin + base + (index < extra ? 1 : 0));
      },
      &context, ranges);
}

}  // namespace linnet
