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

  void Range(int64_t begin, int64_t end) const {
    if (parallel->stop == nullptr || piece >= count) return call(body, begin, end);
    InParts(*parallel, begin, end, piece,
            [this](int64_t first, int64_t last) { call(body, first, last); });
  }
};

void RunRange(void* context, int64_t index) {
  const Job& job = *static_cast<const Job*>(context);
  const int64_t base = job.count / job.ranges, extra = job.count % job.ranges;
  const int64_t begin = index * base + std::min(index, extra);
  job.Range(begin, begin + base + (index < extra ? 1 : 0));
}

}  // namespace

void RunRanges(const Parallel& parallel, int64_t count, int64_t grain, int64_t piece,
               RangeBody call, const void* body) {
  if (count <= 0) return;
  const int64_t ranges = std::min<int64_t>(kRangesPerThread * parallel.threads,
                                           CeilDiv(count, std::max<int64_t>(grain, 1)));
  Job job{&parallel, count, ranges, piece, call, body};
  if (ranges <= 1 || parallel.threads <= 1 || parallel.run == nullptr) return job.Range(0, count);
  parallel.run(parallel.pool, RunRange, &job, ranges);
}

}  // namespace linnet
