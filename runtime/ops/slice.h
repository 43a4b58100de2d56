// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// out[i...] = in[begin + i * stride ...].  Any dtype.  A stride may be negative (reversal).
// Extent slots: i = size[i], kBeginSlot + i = begin[i].
struct SliceAttrs {
  static constexpr int kBeginSlot = kMaxRank;
  using Table = schema::SliceAttrs;
  Shape begin;   // 0 <= begin < dim (up to dim when size is 0)
  Shape size;    // extents of the output, >= 0; begin + (size-1)*stride is inside
  Shape stride;  // != 0
  friend bool operator==(const SliceAttrs&, const SliceAttrs&) = default;
};

Status Decode(const schema::SliceAttrs& table, SliceAttrs* attrs);
flatbuffers::Offset<schema::SliceAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                               const SliceAttrs& attrs);

}  // namespace linnet
