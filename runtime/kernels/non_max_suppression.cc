// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/non_max_suppression.h"

#include <algorithm>
#include <cmath>

namespace linnet::kernels {
namespace {

struct Corners {
  float top, left, bottom, right;
};

Corners CornersOf(const float* box) {
  return {std::min(box[0], box[2]), std::min(box[1], box[3]), std::max(box[0], box[2]),
          std::max(box[1], box[3])};
}

float Area(const Corners& box) { return (box.bottom - box.top) * (box.right - box.left); }

// Intersection over union; 0 when a box is empty. Uses the same float operations as TensorFlow,
// because rounding decides for boxes at the threshold.
float Overlap(const float* box_a, const float* box_b) {
  const Corners a = CornersOf(box_a), b = CornersOf(box_b);
  const float area_a = Area(a), area_b = Area(b);
  if (area_a <= 0 || area_b <= 0) return 0;
  const float height = std::max(std::min(a.bottom, b.bottom) - std::max(a.top, b.top), 0.0f);
  const float width = std::max(std::min(a.right, b.right) - std::max(a.left, b.left), 0.0f);
  const float shared = height * width;
  return shared / (area_a + area_b - shared);
}

bool IsWorse(const BoxCandidate& a, const BoxCandidate& b) {
  return a.score < b.score || (a.score == b.score && a.box > b.box);
}

// The boxes whose score is above the threshold, as a heap. NaN is not above it.
BoxCandidate* Collect(const NonMaxSuppressionJob& job, const float* scores,
                      BoxCandidate* candidates, Questions& questions) {
  BoxCandidate* end = candidates;
  for (int64_t i = 0; i < job.boxes; ++i) {
    if (questions.Stop(kHeapWork)) return candidates;
    const float score = scores[i * job.score_stride];
    if (score > job.score_threshold) {
      *end++ = {score, static_cast<int32_t>(i), 0};
      std::push_heap(candidates, end, IsWorse);
    }
  }
  return end;
}

}  // namespace

int64_t NonMaxSuppression(const NonMaxSuppressionJob& job, const float* boxes, const float* scores,
                          BoxCandidate* candidates, int32_t* indices, float* scores_out,
                          const Parallel& parallel) {
  const float scale = job.sigma > 0 ? -0.5f / job.sigma : 0.0f;
  Questions questions(parallel);
  BoxCandidate* end = Collect(job, scores, candidates, questions);
  int64_t chosen = 0;
  while (chosen < job.max_outputs && end != candidates) {
    if (questions.Stop(kHeapWork)) return chosen;
    std::pop_heap(candidates, end, IsWorse);
    BoxCandidate best = *--end;
    const float score = best.score;
    bool dropped = false;
    // Backwards, because boxes of similar scores tend to overlap.
    for (int64_t j = chosen - 1; j >= best.compared && !dropped; --j) {
      if (questions.Stop(8)) return chosen;
      const float overlap =
          Overlap(boxes + best.box * job.box_stride, boxes + indices[j] * job.box_stride);
      if (job.sigma > 0) best.score *= std::exp(scale * overlap * overlap);
      dropped = job.sigma > 0 ? best.score <= job.score_threshold : overlap > job.iou_threshold;
    }
    if (dropped) continue;
    best.compared = static_cast<int32_t>(chosen);
    if (best.score == score) {
      indices[chosen] = best.box;
      scores_out[chosen++] = score;
    } else if (best.score >
               job.score_threshold) {  // drops NaN, which an overlap of infinities gives
      *end++ = best;
      std::push_heap(candidates, end, IsWorse);
    }
  }
  return chosen;
}

}  // namespace linnet::kernels
