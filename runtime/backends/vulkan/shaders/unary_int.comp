// SPDX-License-Identifier: Apache-2.0
// Integers and bool to integers and bool. Bytes have the values 0 to 255; results wrap.
#version 450
#include "linnet.glsl"
#include "../abi/unary_int.h"

layout(constant_id = 1) const uint KIND = kUnaryAbs;
layout(constant_id = 2) const bool BYTE = false;  // the result is a byte
layout(push_constant) uniform Push { UnaryPush p; };
READ_I(0, x);
WRITE_I(1, y);

ivec4 Apply(ivec4 v) {
  switch (KIND) {
    case kUnaryAbs: return abs(v);
    case kUnaryNeg: return -v;
    case kUnarySign: return sign(v);
    case kUnarySquare: return v * v;
    case kUnaryLogicalNot: return v ^ 1;
    case kUnaryBitwiseNot: return ~v;
    case kUnaryToBool: return ivec4(notEqual(v, ivec4(0)));
    default: return v;
  }
}

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  ivec4 value = Apply(LOAD(x, i));
  if (BYTE) value &= 255;
  STORE(y, i, MaskedRow(value, i, p.row_quads, p.columns));
}
