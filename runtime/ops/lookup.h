// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// The position of each query among the keys: out (i32, the queries' shape) is the index of the
// equal key, or the number of keys when there is none. Inputs: queries (i32 or i64), keys (a vector
// of the same dtype, strictly increasing; otherwise the positions are meaningless, but in range).
// With a Gather from the values, to which the value for missing keys is appended, this is a hash
// table.
struct LookupAttrs {
  using Table = schema::LookupAttrs;
  friend bool operator==(const LookupAttrs&, const LookupAttrs&) = default;
};

Status Decode(const schema::LookupAttrs& table, LookupAttrs* attrs);
flatbuffers::Offset<schema::LookupAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const LookupAttrs& attrs);

}  // namespace linnet
