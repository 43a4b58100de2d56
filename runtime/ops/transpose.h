// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// out dimension i is input dimension perm[i].  Any dtype.
struct TransposeAttrs {
  using Table = schema::TransposeAttrs;
  Shape perm;  // a permutation of 0..rank-1
  friend bool operator==(const TransposeAttrs&, const TransposeAttrs&) = default;
};

Status Decode(const schema::TransposeAttrs& table, TransposeAttrs* attrs);
flatbuffers::Offset<schema::TransposeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                   const TransposeAttrs& attrs);

}  // namespace linnet
