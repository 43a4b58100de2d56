// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/parallel.h"

#include <algorithm>

namespace linnet {
namespace {

struct Job {
  const Parallel* parallel;
  int64_t count, ranges, piece;
  RangeBody call;
  const void* body;

  // Longer and shorter ranges take turns, so that threads with equally many have equally much.
  int64_t Begin(int64_t index) const {
    return index * (count / ranges) + index * (count % ranges) / ranges;
  }
  void Range(int64_t begin, int64_t end) const {
    if (parallel->stop == nullptr || piece >= count) return call(body, begin, end);
    InParts(*parallel, begin, end, piece,
            [this](int64_t first, int64_t last) { call(body, first, last); });
  }
};

void RunRange(void* context, int64_t index) {
  const Job& job = *static_cast<const Job*>(context);
  job.Range(job.Begin(index), job.Begin(index + 1));
}

// Into how many ranges to divide, none of them smaller than the grain. Where there are enough, all
// threads get equally many: each then has the part of a tensor that it had in other steps.
int64_t RangesWorth(int64_t count, int64_t grain, int64_t threads) {
  // A thread that helps another fetches what it needs from the other's cache, which takes longer
  // than a short range.
  constexpr int64_t kGrainsWorthHelp = 16;
  const int64_t worth = count / grain, most = kRangesPerThread * threads;
  if (grain == 1 || worth <= threads) return std::clamp<int64_t>(worth, 1, most);
  return std::clamp<int64_t>(worth / kGrainsWorthHelp, threads, most) / threads * threads;
}

}  // namespace

void RunRanges(const Parallel& parallel, int64_t count, int64_t grain, int64_t piece,
               RangeBody call, const void* body) {
  if (count <= 0) return;
  const int64_t ranges = RangesWorth(count, std::max<int64_t>(grain, 1), parallel.threads);
  Job job{&parallel, count, ranges, piece, call, body};
  if (ranges <= 1 || parallel.threads <= 1 || parallel.run == nullptr) return job.Range(0, count);
  parallel.run(parallel.pool, RunRange, &job, ranges);
}

}  // namespace linnet
