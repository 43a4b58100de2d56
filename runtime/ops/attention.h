// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

inline constexpr int kMaxAttentionMasks = 2;   // such as positions and padding
inline constexpr int kFirstAttentionMask = 3;  // the input

// For each batch b and head h, with g = h / (H / G) and
// scores[s, t] = scale * q[b, s, h, :] * k[b, t, g, :]:
//   out[b, s, h, :] = sum over t of softmax(scores)[s, t] * v[b, t, g, :]
// Inputs: q [B, S, H, D], k [B, T, G, D] and v [B, T, G, V] in f32, of which H is a multiple of G
// (grouped queries), and up to kMaxAttentionMasks masks, [.., T], whose leading dimensions
// broadcast to [B, H, S]. One after the other, an f32 mask is added to the scores, and where a bool
// mask is false, the score becomes `hidden`. Output: [B, S, H, V].
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
