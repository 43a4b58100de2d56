// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Converts elements as TensorFlow does: float to integer truncates towards zero, anything to bool
// is x != 0, integer to narrower integer wraps. f32, f64 (converter only), f16, i32, i64, i16, u16,
// u8, i8, bool.
struct CastAttrs {
  using Table = schema::CastAttrs;
  DType dtype = DType::kInvalid;  // of the output
  friend bool operator==(const CastAttrs&, const CastAttrs&) = default;
};

Status Decode(const schema::CastAttrs& table, CastAttrs* attrs);
flatbuffers::Offset<schema::CastAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                              const CastAttrs& attrs);

}  // namespace linnet
