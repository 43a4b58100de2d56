// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// The boxes that are better than all that overlap them. boxes: f32 [n, 4], opposite corners y, x,
// y, x; scores: f32 [n]. Outputs, the best first and 0 behind the last: indices i32 [max_outputs],
// scores f32 [max_outputs], how many there are i32 [].
//   repeat: take the box of the highest score (ties: the smaller index), if that is above
//     score_threshold; sigma = 0: drop it when its overlap (intersection over union) with a chosen
//     one is above iou_threshold; sigma > 0: multiply its score by exp(-overlap^2 / (2 sigma)) for
//     each chosen one, and choose it once its score stays (Soft-NMS, Bodla et al. 2017).
struct NonMaxSuppressionAttrs {
  using Table = schema::NonMaxSuppressionAttrs;
  int max_outputs = 0;        // >= 0
  float iou_threshold = 0;    // in [0, 1]
  float score_threshold = 0;  // no NaN
  float sigma = 0;            // >= 0
  friend bool operator==(const NonMaxSuppressionAttrs&, const NonMaxSuppressionAttrs&) = default;
};

Status Decode(const schema::NonMaxSuppressionAttrs& table, NonMaxSuppressionAttrs* attrs);
flatbuffers::Offset<schema::NonMaxSuppressionAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                           const NonMaxSuppressionAttrs& attrs);

}  // namespace linnet
