// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// NonMaxSuppression for each image and class, then the boxes of highest score of all classes.
// boxes: f32 [batch, n, q, 4], q = 1 (the same boxes for all classes) or the number of classes;
// scores: f32 [batch, n, classes]. Outputs in order of falling score (ties: the smaller class, then
// the smaller box) with zeros after the last: boxes f32 [batch, max_total, 4], clamped to [0, 1]
// with `clip`; scores and classes, both f32 [batch, max_total]; their number i32 [batch].
struct CombinedNonMaxSuppressionAttrs {
  using Table = schema::CombinedNonMaxSuppressionAttrs;
  int max_per_class = 0;      // >= 0
  int max_total = 0;          // >= 0
  float iou_threshold = 0;    // in [0, 1]
  float score_threshold = 0;  // not NaN
  bool clip = true;
  friend bool operator==(const CombinedNonMaxSuppressionAttrs&,
                         const CombinedNonMaxSuppressionAttrs&) = default;
};

Status Decode(const schema::CombinedNonMaxSuppressionAttrs& table,
              CombinedNonMaxSuppressionAttrs* attrs);
flatbuffers::Offset<schema::CombinedNonMaxSuppressionAttrs> Encode(
    flatbuffers::FlatBufferBuilder& fbb, const CombinedNonMaxSuppressionAttrs& attrs);

}  // namespace linnet
