// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"

namespace linnet::kernels {

inline constexpr int64_t kHeapWork =
    64;  // work of one step in a large heap, which misses the cache

struct NonMaxSuppressionJob {
  int64_t boxes;         // number of boxes
  int64_t box_stride;    // floats from one box to the next; a box is y, x, y, x
  int64_t score_stride;  // floats from one score to the next
  int64_t max_outputs;
  float iou_threshold, score_threshold;
  float sigma;  // 0: overlapping boxes are dropped; else their scores are reduced
};

// Bytes of temporary memory that NonMaxSuppression needs: a multiple of 64; INT64_MAX on overflow.
int64_t NonMaxSuppressionScratch(const NonMaxSuppressionJob& job);

// Chooses boxes as described in ops/non_max_suppression.h and returns how many. indices,
// scores_out: room for min(max_outputs, boxes). scratch: aligned to 64 bytes. O(boxes * (log boxes
// + chosen)).
int64_t NonMaxSuppression(const NonMaxSuppressionJob& job, const float* boxes, const float* scores,
                          void* scratch, int32_t* indices, float* scores_out,
                          const Parallel& parallel);

}  // namespace linnet::kernels
