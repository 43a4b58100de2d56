// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Running sums, products or logarithms of sums of exponentials along `axis`: out[i] combines in[0]
// to in[i], without in[i] itself when `exclusive` (the first is then 0, 1 or -infinity), and
// from the other end when `reverse`. Input f32, i32 (wraps) or i64; LogSumExp f32 only.
struct CumulativeAttrs {
  using Table = schema::CumulativeAttrs;
  schema::CumulativeKind kind = schema::CumulativeKind::Invalid;
  int axis = 0;  // 0 <= axis < rank
  bool exclusive = false;
  bool reverse = false;
  friend bool operator==(const CumulativeAttrs&, const CumulativeAttrs&) = default;
};

Status Decode(const schema::CumulativeAttrs& table, CumulativeAttrs* attrs);
flatbuffers::Offset<schema::CumulativeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                    const CumulativeAttrs& attrs);

}  // namespace linnet
