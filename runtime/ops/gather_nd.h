// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// The last dimension of indices (i32, i64) is a position in the leading dimensions of params (after
// batch_dims); the remaining dimensions are copied. An index out of range makes a run fail with
// kBadIndex.
struct GatherNdAttrs {
  using Table = schema::GatherNdAttrs;
  int batch_dims = 0;
  friend bool operator==(const GatherNdAttrs&, const GatherNdAttrs&) = default;
};

Status Decode(const schema::GatherNdAttrs& table, GatherNdAttrs* attrs);
flatbuffers::Offset<schema::GatherNdAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                  const GatherNdAttrs& attrs);

}  // namespace linnet
