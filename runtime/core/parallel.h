// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "runtime/core/checked.h"

namespace linnet {

// How kernels use threads. The session fills it in with its team of threads or a pthreadpool that
// the caller lends. A default-constructed Parallel runs everything on the calling thread.
struct Parallel {
  int threads = 1;  // >= 1
  void* pool = nullptr;
  // Calls task(context, i) for every i in [0, tasks), in any order, on any thread, and returns
  // when all are done. Never allocates.
  void (*run)(void* pool, void (*task)(void* context, int64_t index), void* context,
              int64_t tasks) = nullptr;
  // Tells whether the run shall stop; may be called on any thread. Null when runs cannot be
  // cancelled. Once it returns true, it does so until the kernel has returned. A kernel that sees
  // this returns at once and leaves its outputs incomplete; its caller checks again afterwards and
  // does not use them.
  bool (*stop)(void* stop_context) = nullptr;
  void* stop_context = nullptr;

  bool Stopped() const { return stop != nullptr && stop(stop_context); }
};

// The most work between two checks whether to stop, in simple operations on one element (a copy, a
// product): far less than a millisecond, but so much that the checks cost nothing noticeable.
inline constexpr int64_t kWorkPerQuestion = 1 << 18;

// For loops inside one item of a ParallelFor, when an item can be much work: checks whether to
// stop.
class Questions {
 public:
  explicit Questions(const Parallel& parallel) : parallel_(parallel) {}
  // True when the kernel shall return. `work` is the number of simple operations until the next
  // call. Checks at the first call, then after every kWorkPerQuestion operations.
  bool Stop(int64_t work) {
    left_ -= work;
    if (left_ > 0) return false;
    if (parallel_.Stopped()) return true;  // the next call checks again
    left_ = kWorkPerQuestion;
    return false;
  }

 private:
  const Parallel& parallel_;
  int64_t left_ = 0;
};

// Calls body(begin, end) for successive parts of [first, last), each `part` long. Checks before
// each part whether to stop, and returns false if so.
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

// More than one range per thread, so that threads that finish early can help the others.
inline constexpr int64_t kRangesPerThread = 4;

// Calls a body through a pointer, so that its code is instantiated only once.
using RangeBody = void (*)(const void* body, int64_t begin, int64_t end);
template <typename Body>
void CallBody(const void* body, int64_t begin, int64_t end) {
  (*static_cast<const Body*>(body))(begin, end);
}

// The common part of the two templates below. Each range is divided into pieces of length `piece`,
// and no further piece begins once the run shall stop.
void RunRanges(const Parallel& parallel, int64_t count, int64_t grain, int64_t piece,
               RangeBody call, const void* body);

// Calls body(begin, end) for disjoint ranges that cover [0, count). `grain` is the smallest range
// that is worth a thread: about what takes 1 us, because lines that another core wrote take longer
// to fetch than a job takes to begin. Results must be the same bits for any number of threads: each
// output element belongs to one range, and sums are in an order that only the shape determines. The
// body itself must check whether to stop; for bodies with little work per item, ParallelFor does
// it.
template <typename Body>
void ParallelRanges(const Parallel& parallel, int64_t count, int64_t grain, const Body& body) {
  RunRanges(parallel, count, grain, count, &CallBody<Body>, &body);
}

// Like ParallelRanges, but calls the body for pieces of a few grains (of one item when grain <= 1)
// and begins no further piece once the run shall stop.
template <typename Body>
void ParallelFor(const Parallel& parallel, int64_t count, int64_t grain, const Body& body) {
  constexpr int64_t kGrainsPerPiece = 16;
  const int64_t piece = grain <= 1 ? 1 : SaturatingMul(grain, kGrainsPerPiece);
  RunRanges(parallel, count, grain, piece, &CallBody<Body>, &body);
}

}  // namespace linnet
