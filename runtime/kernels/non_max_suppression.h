// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"

namespace linnet::kernels {

inline constexpr int64_t kHeapWork = 64;  // of one step of a large heap, which misses the cache

// A box that may still be chosen, and its score as it stands.
struct BoxCandidate {
  float score;
  int32_t box;
  int32_t compared;  // how many of the chosen ones it has been compared with
};

struct NonMaxSuppressionJob {
  int64_t boxes;         // how many there are
  int64_t box_stride;    // floats from one box to the next; a box is y, x, y, x
  int64_t score_stride;  // floats from one score to the next
  int64_t max_outputs;
  float iou_threshold, score_threshold;
  float sigma;  // 0: overlapping boxes are dropped, else their scores fall
};

// Chooses boxes as ops/non_max_suppression.h says; gives how many. indices, scores_out: room for
// min(max_outputs, boxes). candidates: room for `boxes`. O(boxes * (log boxes + chosen)).
int64_t NonMaxSuppression(const NonMaxSuppressionJob& job, const float* boxes, const float* scores,
                          BoxCandidate* candidates, int32_t* indices, float* scores_out,
                          const Parallel& parallel);

}  // namespace linnet::kernels
