// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Chooses boxes by score, without those that overlap a chosen box. boxes: f32 [n, 4], opposite
// corners y, x, y, x; scores: f32 [n]. Outputs in order of falling score, with zeros after the
// last: indices i32 [max_outputs], scores f32 [max_outputs], their number i32 [].
//   Repeats: take the box of the highest score (ties: the smaller index) that is above
//     score_threshold. sigma = 0: choose it unless its overlap (intersection over union) with a
//     chosen box is above iou_threshold. sigma > 0: multiply its score by exp(-overlap^2 / (2
//     sigma)) for each chosen box, and choose it if the score does not change (Soft-NMS, Bodla et
//     al. 2017).
struct NonMaxSuppressionAttrs {
  using Table = schema::NonMaxSuppressionAttrs;
  int max_outputs = 0;        // >= 0
  float iou_threshold = 0;    // in [0, 1]
  float score_threshold = 0;  // not NaN
  float sigma = 0;            // >= 0
  friend bool operator==(const NonMaxSuppressionAttrs&, const NonMaxSuppressionAttrs&) = default;
};

Status Decode(const schema::NonMaxSuppressionAttrs& table, NonMaxSuppressionAttrs* attrs);
flatbuffers::Offset<schema::NonMaxSuppressionAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                           const NonMaxSuppressionAttrs& attrs);

}  // namespace linnet
