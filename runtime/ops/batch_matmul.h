// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// out[..., M, N] = a[..., M, K] * b[..., K, N], f32 or i32; the leading dimensions broadcast.
// transpose_a: a is stored [..., K, M]; transpose_b: b is stored [..., N, K].  Rank >= 2.
struct BatchMatMulAttrs {
  using Table = schema::BatchMatMulAttrs;
  bool transpose_a = false;
  bool transpose_b = false;
  friend bool operator==(const BatchMatMulAttrs&, const BatchMatMulAttrs&) = default;
};

Status Decode(const schema::BatchMatMulAttrs& table, BatchMatMulAttrs* attrs);
flatbuffers::Offset<schema::BatchMatMulAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                     const BatchMatMulAttrs& attrs);

}  // namespace linnet
