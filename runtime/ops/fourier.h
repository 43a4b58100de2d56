// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Discrete Fourier transform of f32 rows. Complex numbers are pairs (real, imaginary) in the last
// dimension.
//   Forward, Inverse  [..., length, 2] -> the same; the inverse divides by length
//   RealForward       [..., length] -> [..., length / 2 + 1, 2], without the redundant half
//   RealInverse       [..., length / 2 + 1, 2] -> [..., length]
// Takes time O(length log length) per row.
struct FourierAttrs {
  using Table = schema::FourierAttrs;
  schema::FourierKind kind = schema::FourierKind::Invalid;
  int64_t length = 0;  // 1 to 2^24
  friend bool operator==(const FourierAttrs&, const FourierAttrs&) = default;
};

Status Decode(const schema::FourierAttrs& table, FourierAttrs* attrs);
flatbuffers::Offset<schema::FourierAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const FourierAttrs& attrs);

}  // namespace linnet
