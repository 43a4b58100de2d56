// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/non_max_suppression.h"

#include <algorithm>
#include <cmath>

#include "runtime/core/checked.h"
#include "runtime/kernels/row_reductions.h"

namespace linnet::kernels {
namespace {

// A box that may still be chosen, and its current score.
struct BoxCandidate {
  float score;
  int32_t box;
  int32_t compared;  // number of chosen boxes with which it has been compared
};

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

using Four = Lanes<float>::Vector;

// Four boxes that were chosen. Those that are still missing are empty.
struct ChosenBoxes {
  Four top, left, bottom, right, area;

  void Set(int64_t i, const Corners& box) {
    top[i] = box.top;
    left[i] = box.left;
    bottom[i] = box.bottom;
    right[i] = box.right;
    area[i] = Area(box);
  }
};

Four MinOf(Four a, Four b) { return b < a ? b : a; }
Four MaxOf(Four a, Four b) { return a < b ? b : a; }

// Whether Overlap of the box with one of the four is above a threshold >= 0.
bool OverlapsAny(const Corners& box, float area, const ChosenBoxes& chosen, float threshold) {
  const Four zero = {};
  const Four height = MinOf(zero + box.bottom, chosen.bottom) - MaxOf(zero + box.top, chosen.top);
  const Four width = MinOf(zero + box.right, chosen.right) - MaxOf(zero + box.left, chosen.left);
  const Four shared = MaxOf(height, zero) * MaxOf(width, zero);
  const Four overlap = shared / (area + chosen.area - shared);
  const auto above = (overlap > threshold) & ~(chosen.area <= zero);
  return (above[0] | above[1] | above[2] | above[3]) != 0;
}

// Whether a chosen box drops this one: the last ones first, because boxes of similar scores tend to
// overlap.
bool IsDropped(const Corners& box, const ChosenBoxes* chosen, int64_t count, float threshold,
               Questions& questions) {
  const float area = Area(box);
  if (area <= 0) return false;
  for (int64_t i = CeilDiv(count, 4) - 1; i >= 0; --i) {
    if (questions.Stop(8)) return true;
    if (OverlapsAny(box, area, chosen[i], threshold)) return true;
  }
  return false;
}

constexpr auto kIsWorse = [](const BoxCandidate& a, const BoxCandidate& b) {
  return a.score < b.score || (a.score == b.score && a.box > b.box);
};

// Restores the heap where only heap[at] may be worse than those below it.
void SiftDown(BoxCandidate* heap, int64_t size, int64_t at) {
  const BoxCandidate moved = heap[at];
  for (int64_t child = 2 * at + 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && kIsWorse(heap[child], heap[child + 1])) ++child;
    if (!kIsWorse(moved, heap[child])) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moved;
}

// The boxes whose score is above the threshold, as a heap. NaN is not above it.
BoxCandidate* Collect(const NonMaxSuppressionJob& job, const float* scores, BoxCandidate* heap,
                      Questions& questions) {
  int64_t count = 0;
  for (int64_t i = 0; i < job.boxes; ++i) {
    if (questions.Stop(1)) return heap;
    const float score = scores[i * job.score_stride];
    if (score > job.score_threshold) heap[count++] = {score, static_cast<int32_t>(i), 0};
  }
  for (int64_t i = count / 2 - 1; i >= 0; --i) {
    if (questions.Stop(kHeapWork)) return heap;
    SiftDown(heap, count, i);
  }
  return heap + count;
}

}  // namespace

int64_t NonMaxSuppressionScratch(const NonMaxSuppressionJob& job) {
  const int64_t most = std::min(job.boxes, job.max_outputs);
  return SaturatingAdd(AlignedBytes<BoxCandidate>(job.boxes),
                       AlignedBytes<ChosenBoxes>(CeilDiv(most, 4)));
}

int64_t NonMaxSuppression(const NonMaxSuppressionJob& job, const float* boxes, const float* scores,
                          void* scratch, int32_t* indices, float* scores_out,
                          const Parallel& parallel) {
  auto* candidates = static_cast<BoxCandidate*>(scratch);
  auto* chosen_boxes = reinterpret_cast<ChosenBoxes*>(static_cast<uint8_t*>(scratch) +
                                                      AlignedBytes<BoxCandidate>(job.boxes));
  const float scale = job.sigma > 0 ? -0.5f / job.sigma : 0.0f;
  Questions questions(parallel);
  BoxCandidate* end = Collect(job, scores, candidates, questions);
  int64_t chosen = 0;
  while (chosen < job.max_outputs && end != candidates) {
    if (questions.Stop(kHeapWork)) return chosen;
    std::pop_heap(candidates, end, kIsWorse);
    BoxCandidate best = *--end;
    const float* box = boxes + best.box * job.box_stride;
    const float score = best.score;
    if (job.sigma == 0) {
      const Corners corners = CornersOf(box);
      if (IsDropped(corners, chosen_boxes, chosen, job.iou_threshold, questions)) continue;
      if (chosen % 4 == 0) chosen_boxes[chosen / 4] = ChosenBoxes();
      chosen_boxes[chosen / 4].Set(chosen % 4, corners);
    }
    for (int64_t j = chosen - 1; job.sigma > 0 && j >= best.compared; --j) {
      if (questions.Stop(8)) return chosen;
      const float overlap = Overlap(box, boxes + indices[j] * job.box_stride);
      best.score *= std::exp(scale * overlap * overlap);
      if (best.score <= job.score_threshold) break;
    }
    best.compared = static_cast<int32_t>(chosen);
    if (best.score == score) {
      indices[chosen] = best.box;
      scores_out[chosen++] = score;
    } else if (best.score >
               job.score_threshold) {  // drops NaN, which an overlap of infinities gives
      *end++ = best;
      std::push_heap(candidates, end, kIsWorse);
    }
  }
  return chosen;
}

}  // namespace linnet::kernels
