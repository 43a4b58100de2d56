// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// out = params with dimension `axis` replaced by the dimensions of indices after batch_dims.
// Inputs: params of any dtype, indices i32 or i64. An index out of range makes a run fail with
// kBadIndex.
struct GatherAttrs {
  using Table = schema::GatherAttrs;
  int axis = 0;        // batch_dims <= axis < rank(params)
  int batch_dims = 0;  // 0 <= batch_dims <= rank(indices); those leading dimensions are equal
  friend bool operator==(const GatherAttrs&, const GatherAttrs&) = default;
};

Status Decode(const schema::GatherAttrs& table, GatherAttrs* attrs);
flatbuffers::Offset<schema::GatherAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const GatherAttrs& attrs);

}  // namespace linnet
