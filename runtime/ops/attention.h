// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// For each batch b and head h, with scores[s, t] = scale * q[b, s, h, :] * k[b, t, h, :]:
//   out[b, s, h, :] = sum over t of softmax(scores)[s, t] * v[b, t, h, :]
// Inputs: q [B, S, H, D], k [B, T, H, D], v [B, T, H, V] and optionally mask, [.., T], whose
// leading dimensions broadcast to [B, H, S]. An f32 mask is added to the scores; where a bool mask
// is false, the score is `hidden`. The others are f32. Output: [B, S, H, V].
struct AttentionAttrs {
  using Table = schema::AttentionAttrs;
  float scale = 1.0f;   // finite
  float hidden = 0.0f;  // not NaN
  friend bool operator==(const AttentionAttrs&, const AttentionAttrs&) = default;
};

Status Decode(const schema::AttentionAttrs& table, AttentionAttrs* attrs);
flatbuffers::Offset<schema::AttentionAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                   const AttentionAttrs& attrs);

}  // namespace linnet
