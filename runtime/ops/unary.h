// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// out[i] = f(in[i]).  Float kinds take f32; Abs, Neg, Sign and Square also integers; BitwiseNot
// takes integers, LogicalNot bool; IsNan, IsInf and IsFinite give bool.  alpha: slope of LeakyRelu
// below zero; other kinds ignore it. Round rounds halves to even; GeluErf = x/2 (1 + erf(x/sqrt
// 2)); GeluTanh its tanh form; HardSwish = x clamp(x+3,0,6)/6; HardSigmoid = clamp(x/6 + 1/2, 0,
// 1).
struct UnaryAttrs {
  using Table = schema::UnaryAttrs;
  schema::UnaryKind kind = schema::UnaryKind::Invalid;
  float alpha = 0.0f;
  friend bool operator==(const UnaryAttrs&, const UnaryAttrs&) = default;
};

Status Decode(const schema::UnaryAttrs& table, UnaryAttrs* attrs);
flatbuffers::Offset<schema::UnaryAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                               const UnaryAttrs& attrs);

}  // namespace linnet
