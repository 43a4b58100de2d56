// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"
#include "runtime/ops/output_range.h"

namespace linnet {

// out = f(a, b), numpy broadcasting up to rank 8; both inputs and the output have one dtype: f32,
// i32, i64, u8, i8 (where the kind makes sense), bool for LogicalAnd/Or.  `range` clamps f32
// results. FloorMod has the sign of the divisor, TruncateMod of the dividend; Div of integers
// truncates; DivNoNan is 0 where b is 0; integer division by zero makes a run fail with kBadIndex;
// Maximum and Minimum propagate NaN from either operand. Bit operations take integers; shift counts
// are clamped to 0..31 (i64: 63), RightShift keeps the sign.
struct BinaryAttrs {
  using Table = schema::BinaryAttrs;
  schema::BinaryKind kind = schema::BinaryKind::Invalid;
  OutputRange range;
  friend bool operator==(const BinaryAttrs&, const BinaryAttrs&) = default;
};

Status Decode(const schema::BinaryAttrs& table, BinaryAttrs* attrs);
flatbuffers::Offset<schema::BinaryAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const BinaryAttrs& attrs);

}  // namespace linnet
