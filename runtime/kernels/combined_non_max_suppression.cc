// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/combined_non_max_suppression.h"

#include <algorithm>

#include "runtime/core/checked.h"
#include "runtime/kernels/copy_bytes.h"

namespace linnet::kernels {
namespace {

int64_t MostPerClass(const CombinedNonMaxSuppressionJob& job) {
  return std::min(job.boxes, job.max_per_class);
}

bool IsBetter(const Detection& a, const Detection& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.class_index != b.class_index) return a.class_index < b.class_index;
  return a.box < b.box;
}

// Sorts the best `count` of `all` detections to the front, like std::partial_sort, but can be
// interrupted: returns false when the run shall stop.
bool MoveBestToFront(Detection* detections, int64_t all, int64_t count, const Parallel& parallel) {
  Questions questions(parallel);
  Detection *const end = detections + count, *heap = detections;  // the worst one on top
  for (int64_t i = 0; i < count; ++i) {
    if (questions.Stop(kHeapWork)) return false;
    std::push_heap(detections, ++heap, IsBetter);
  }
  for (int64_t i = count; i < all && count > 0; ++i) {
    if (questions.Stop(kHeapWork)) return false;
    if (!IsBetter(detections[i], *detections)) continue;
    std::pop_heap(detections, end, IsBetter);
    std::swap(detections[i], end[-1]);
    std::push_heap(detections, end, IsBetter);
  }
  for (; heap != detections; --heap) {
    if (questions.Stop(kHeapWork)) return false;
    std::pop_heap(detections, heap, IsBetter);
  }
  return true;
}

NonMaxSuppressionJob OneClass(const CombinedNonMaxSuppressionJob& job) {
  return {.boxes = job.boxes,
          .box_stride = 4 * job.boxes_per_entry,
          .score_stride = job.classes,
          .max_outputs = job.max_per_class,
          .iou_threshold = job.iou_threshold,
          .score_threshold = job.score_threshold,
          .sigma = 0};
}

// The scratch memory: that of one class, its indices and scores, detections of all classes.
struct Scratch {
  void* one_class;
  int32_t* indices;
  float* scores;
  Detection* detections;
};

Scratch Divide(const CombinedNonMaxSuppressionJob& job, void* memory) {
  Scratch scratch;
  scratch.one_class = memory;
  scratch.indices = reinterpret_cast<int32_t*>(static_cast<uint8_t*>(memory) +
                                               NonMaxSuppressionScratch(OneClass(job)));
  scratch.scores = reinterpret_cast<float*>(scratch.indices + MostPerClass(job));
  scratch.detections = reinterpret_cast<Detection*>(scratch.scores + MostPerClass(job));
  return scratch;
}

int64_t DetectAllClasses(const CombinedNonMaxSuppressionJob& job, const float* boxes,
                         const float* scores, const Scratch& scratch, const Parallel& parallel) {
  const NonMaxSuppressionJob one_class = OneClass(job);
  int64_t count = 0;
  for (int64_t c = 0; c < job.classes; ++c) {
    const float* class_boxes = boxes + (job.boxes_per_entry == 1 ? 0 : 4 * c);
    const int64_t chosen = NonMaxSuppression(one_class, class_boxes, scores + c, scratch.one_class,
                                             scratch.indices, scratch.scores, parallel);
    for (int64_t i = 0; i < chosen; ++i)
      scratch.detections[count++] = {scratch.scores[i], static_cast<int32_t>(c),
                                     scratch.indices[i]};
  }
  return count;
}

}  // namespace

int64_t CombinedNonMaxSuppressionScratch(const CombinedNonMaxSuppressionJob& job) {
  const int64_t most = MostPerClass(job);
  const int64_t parts[] = {
      NonMaxSuppressionScratch(OneClass(job)),
      SaturatingMul(most, sizeof(int32_t) + sizeof(float)),
      SaturatingMul(SaturatingMul(most, job.classes), sizeof(Detection)),
  };
  int64_t total = 0;
  for (const int64_t part : parts)
    if (!CheckedAdd(total, part, &total)) return INT64_MAX;
  return total;
}

int32_t CombinedNonMaxSuppression(const CombinedNonMaxSuppressionJob& job, const float* boxes,
                                  const float* scores, void* memory, float* boxes_out,
                                  float* scores_out, float* classes_out, const Parallel& parallel) {
  const Scratch scratch = Divide(job, memory);
  const int64_t all = DetectAllClasses(job, boxes, scores, scratch, parallel);
  const int64_t count = std::min(all, job.max_total);
  if (!MoveBestToFront(scratch.detections, all, count, parallel)) return 0;
  for (int64_t i = 0; i < count; ++i) {
    const Detection& detection = scratch.detections[i];
    const int64_t column = job.boxes_per_entry == 1 ? 0 : detection.class_index;
    const float* box = boxes + 4 * (detection.box * job.boxes_per_entry + column);
    for (int k = 0; k < 4; ++k)
      boxes_out[4 * i + k] = job.clip ? std::max(std::min(box[k], 1.0f), 0.0f) : box[k];
    scores_out[i] = detection.score;
    classes_out[i] = static_cast<float>(detection.class_index);
  }
  const int64_t left_bytes = (job.max_total - count) * int64_t{sizeof(float)};
  ZeroBytes(boxes_out + 4 * count, 4 * left_bytes, parallel);
  ZeroBytes(scores_out + count, left_bytes, parallel);
  ZeroBytes(classes_out + count, left_bytes, parallel);
  return static_cast<int32_t>(count);
}

}  // namespace linnet::kernels
