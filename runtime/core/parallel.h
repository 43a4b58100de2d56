// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "runtime/core/checked.h"

namespace linnet {

// How kernels reach threads. The session fills it in (its team, a pthreadpool that was lent to it,
// or nothing); a default-constructed Parallel runs everything on the caller.
struct Parallel {
  int threads = 1;  // >= 1
  void* pool = nullptr;
  // Calls task(context, i) for every i in [0, tasks), in any order, on any thread, and returns
  // when all are done. Never allocates.
  void (*run)(void* pool, void (*task)(void* context, int64_t index), void* context,
              int64_t tasks) = nullptr;
  // Is the run to stop? Asked on any thread. Null where nobody can ask for that; once true, true
  // until the kernel has returned. A kernel that sees it returns at once and leaves its outputs as
  // they are: who runs kernels asks afterwards, and lets nobody read them.
  bool (*stop)(void* stop_context) = nullptr;
  void* stop_context = nullptr;

  bool Stopped() const { return stop != nullptr && stop(stop_context); }
};

// What may be done between two questions whether to stop, in simple operations on one element (a
// copy, a product): far below a millisecond's worth, and so much that asking costs nothing.
inline constexpr int64_t kWorkPerQuestion = 1 << 18;

// Where one item of a ParallelFor can be much work: its loops ask on their own.
class Questions {
 public:
  explicit Questions(const Parallel& parallel) : parallel_(parallel) {}
  // True when the kernel is to return. `work`: simple operations until the next call. Asks at the
  // first call and then as often as kWorkPerQuestion says.
  bool Stop(int64_t work) {
    left_ -= work;
    if (left_ > 0) return false;
    if (parallel_.Stopped()) return true;  // and at the next call again
    left_ = kWorkPerQuestion;
    return false;
  }

 private:
  const Parallel& parallel_;
  int64_t left_ = 0;
};

// Calls body(begin, end) over successive parts of [first, last), `part` long, asking before each.
// False when the run is to stop.
template <typename Body>
bool InParts(const Parallel& parallel, int64_t first, int64_t last, int64_t part,
             const Body& body) {
  for (int64_t end = first; first < last; first = end) {
    if (parallel.Stopped()) return false;
    end = last - first > part ? first + part : last;
    body(first, end);
  }
  return true;
}

// A thread that is done early helps with the ranges of the others.
inline constexpr int64_t kRangesPerThread = 4;

// One instance of a body's code, however it is called.
using RangeBody = void (*)(const void* body, int64_t begin, int64_t end);
template <typename Body>
void CallBody(const void* body, int64_t begin, int64_t end) {
  (*static_cast<const Body*>(body))(begin, end);
}

// What the two templates below do. Each range is cut into pieces of `piece`, of which no more are
// begun once the run is to stop.
void RunRanges(const Parallel& parallel, int64_t count, int64_t grain, int64_t piece,
               RangeBody call, const void* body);

// Calls body(begin, end) over disjoint ranges that cover [0, count). `grain` is the smallest range
// worth a thread. Results must not depend on the split: one output element, one range, and sums in
// an order fixed by the shape, so that any thread count gives the same bits. The body asks for
// itself whether to stop; ParallelFor does that for those that have little to do per item.
template <typename Body>
void ParallelRanges(const Parallel& parallel, int64_t count, int64_t grain, const Body& body) {
  RunRanges(parallel, count, grain, count, &CallBody<Body>, &body);
}

// ParallelRanges in pieces of a few grains (one item where that is a grain or more), of which no
// more are begun once the run is to stop.
template <typename Body>
void ParallelFor(const Parallel& parallel, int64_t count, int64_t grain, const Body& body) {
  constexpr int64_t kGrainsPerPiece = 16;
  const int64_t piece = grain <= 1 ? 1 : SaturatingMul(grain, kGrainsPerPiece);
  RunRanges(parallel, count, grain, piece, &CallBody<Body>, &body);
}

}  // namespace linnet
