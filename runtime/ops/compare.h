// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// out = a ? b as bool, numpy broadcasting; any dtype (order comparisons not on bool).  NaN compares
// false, except NotEqual.
struct CompareAttrs {
  using Table = schema::CompareAttrs;
  schema::CompareKind kind = schema::CompareKind::Invalid;
  friend bool operator==(const CompareAttrs&, const CompareAttrs&) = default;
};

Status Decode(const schema::CompareAttrs& table, CompareAttrs* attrs);
flatbuffers::Offset<schema::CompareAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const CompareAttrs& attrs);

}  // namespace linnet
