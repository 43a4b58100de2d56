// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// The k largest elements of each row (last dimension) and their positions (i32), on ties the
// smaller index first. `sorted` false permits any order (but they are sorted even then).  Input
// f32, i32, i64, u8, i8. NaN ranks above everything.
struct TopKAttrs {
  using Table = schema::TopKAttrs;
  int k = 0;  // 0 <= k <= last dimension; extent slot 0
  bool sorted = true;
  friend bool operator==(const TopKAttrs&, const TopKAttrs&) = default;
};

Status Decode(const schema::TopKAttrs& table, TopKAttrs* attrs);
flatbuffers::Offset<schema::TopKAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                              const TopKAttrs& attrs);

}  // namespace linnet
