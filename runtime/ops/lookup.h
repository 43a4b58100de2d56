// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Where each query stands among keys: out (i32, the queries' shape) is the key's position, or the
// number of keys where the query is none of them. Inputs: queries (i32 or i64), keys (the same
// dtype, a vector that rises strictly; otherwise some position of no meaning). A Gather from the
// keys' values, with the value for missing keys behind them, makes it a table.
struct LookupAttrs {
  using Table = schema::LookupAttrs;
  friend bool operator==(const LookupAttrs&, const LookupAttrs&) = default;
};

Status Decode(const schema::LookupAttrs& table, LookupAttrs* attrs);
flatbuffers::Offset<schema::LookupAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const LookupAttrs& attrs);

}  // namespace linnet
