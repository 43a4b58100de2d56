// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"

namespace linnet::kernels {

inline constexpr int64_t kHeapWork =
    64;  // work of one step in a large heap, which misses the cache

// A box that may still be chosen, and its current score.
struct BoxCandidate {
  float score;
  int32_t box;
  int32_t compared;  // number of chosen boxes with which it has been compared
};

struct NonMaxSuppressionJob {
  int64_t boxes;         // number of boxes
  int64_t box_stride;    // floats from one box to the next; a box is y, x, y, x
  int64_t score_stride;  // floats from one score to the next
  int64_t max_outputs;
  float iou_threshold, score_threshold;
  float sigma;  // 0: overlapping boxes are dropped; else their scores are reduced
};

// Chooses boxes as described in ops/non_max_suppression.h and returns how many. indices,
// scores_out: room for min(max_outputs, boxes). candidates: room for `boxes`. O(boxes * (log boxes
// + chosen)).
int64_t NonMaxSuppression(const NonMaxSuppressionJob& job, const float* boxes, const float* scores,
                          BoxCandidate* candidates, int32_t* indices, float* scores_out,
                          const Parallel& parallel);

}  // namespace linnet::kernels
