// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// NonMaxSuppression for each picture and class, then the best of all classes. boxes: f32 [batch, n,
// q, 4], q = 1 (for all classes) or the number of classes; scores: f32 [batch, n, classes].
// Outputs, the best first (ties: the smaller class, then the smaller box), 0 behind the last: boxes
// f32 [batch, max_total, 4], cut to [0, 1] with `clip`; scores and classes, both f32 [batch,
// max_total]; how many there are i32 [batch].
struct CombinedNonMaxSuppressionAttrs {
  using Table = schema::CombinedNonMaxSuppressionAttrs;
  int max_per_class = 0;      // >= 0
  int max_total = 0;          // >= 0
  float iou_threshold = 0;    // in [0, 1]
  float score_threshold = 0;  // no NaN
  bool clip = true;
  friend bool operator==(const CombinedNonMaxSuppressionAttrs&,
                         const CombinedNonMaxSuppressionAttrs&) = default;
};

Status Decode(const schema::CombinedNonMaxSuppressionAttrs& table,
              CombinedNonMaxSuppressionAttrs* attrs);
flatbuffers::Offset<schema::CombinedNonMaxSuppressionAttrs> Encode(
    flatbuffers::FlatBufferBuilder& fbb, const CombinedNonMaxSuppressionAttrs& attrs);

}  // namespace linnet
