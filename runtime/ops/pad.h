// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Adds before[i] and after[i] elements along dimension i. Constant: `value`, converted to the
// dtype. Reflect: mirrored without repeating the border element (pad < dim). Symmetric: mirrored,
// the border element repeated (pad <= dim). Any dtype. Extent slots: i = before[i], kAfterSlot + i
// = after[i].
struct PadAttrs {
  static constexpr int kAfterSlot = kMaxRank;
  using Table = schema::PadAttrs;
  Shape before, after;  // >= 0, one per dimension
  schema::PadMode mode = schema::PadMode::Constant;
  double value = 0.0;
  friend bool operator==(const PadAttrs&, const PadAttrs&) = default;
};

Status Decode(const schema::PadAttrs& table, PadAttrs* attrs);
flatbuffers::Offset<schema::PadAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                             const PadAttrs& attrs);

}  // namespace linnet
