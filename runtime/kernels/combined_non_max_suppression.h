// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"
#include "runtime/kernels/non_max_suppression.h"

namespace linnet::kernels {

struct CombinedNonMaxSuppressionJob {
  int64_t boxes, classes;
  int64_t boxes_per_entry;  // 1: one box for all classes; else `classes`
  int64_t max_per_class, max_total;
  float iou_threshold, score_threshold;
  bool clip;
};

// One chosen box of one class.
struct Detection {
  float score;
  int32_t class_index, box;
};

// Bytes of scratch that CombinedNonMaxSuppression needs; INT64_MAX on overflow.
int64_t CombinedNonMaxSuppressionScratch(const CombinedNonMaxSuppressionJob& job);

// For one image: boxes [boxes, boxes_per_entry, 4], scores [boxes, classes] -> boxes_out
// [max_total, 4], scores_out, classes_out [max_total]. Returns how many entries are filled; zeros
// follow them.
int32_t CombinedNonMaxSuppression(const CombinedNonMaxSuppressionJob& job, const float* boxes,
                                  const float* scores, void* scratch, float* boxes_out,
                                  float* scores_out, float* classes_out, const Parallel& parallel);

}  // namespace linnet::kernels
