// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// out = condition ? a : b.  condition: bool; a, b: one dtype; all three broadcast together
// (SelectV2).
struct SelectAttrs {
  using Table = schema::SelectAttrs;
  friend bool operator==(const SelectAttrs&, const SelectAttrs&) = default;
};

Status Decode(const schema::SelectAttrs& table, SelectAttrs* attrs);
flatbuffers::Offset<schema::SelectAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const SelectAttrs& attrs);

}  // namespace linnet
