// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Repeats the input multiples[i] times along dimension i.  Any dtype.
struct TileAttrs {
  using Table = schema::TileAttrs;
  Shape multiples;  // >= 0, one per dimension; extent slot i: multiples[i]
  friend bool operator==(const TileAttrs&, const TileAttrs&) = default;
};

Status Decode(const schema::TileAttrs& table, TileAttrs* attrs);
flatbuffers::Offset<schema::TileAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                              const TileAttrs& attrs);

}  // namespace linnet
