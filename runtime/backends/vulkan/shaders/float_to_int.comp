// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "math.glsl"
#include "../abi/float_to_int.h"

layout(constant_id = 1) const uint KIND = kUnaryToInt;
layout(push_constant) uniform Push { UnaryPush p; };
READ_F(0, x);
WRITE_I(1, y);

// Towards zero; numbers that do not fit become the smallest integer, as on x86.
ivec4 Truncated(vec4 v) {
  const bvec4 fits = lessThan(abs(v), vec4(2147483648.0));
  return mix(ivec4(0x80000000), ivec4(mix(vec4(0.0), v, fits)), fits);
}

ivec4 Apply(vec4 v) {
  switch (KIND) {
    case kUnaryIsNan: return ivec4(IsNan(v));
    case kUnaryIsInf: return ivec4(IsInf(v));
    case kUnaryIsFinite: return ivec4(lessThan(floatBitsToUint(v) & 0x7fffffffu, uvec4(0x7f800000u)));
    // Compares bits: a device may flush subnormal numbers to 0.
    case kUnaryToBool: return ivec4(notEqual(floatBitsToUint(v) & 0x7fffffffu, uvec4(0u)));
    case kUnaryToByte: return mix(Truncated(v), ivec4(0), IsNan(v)) & 255;
    default: return mix(Truncated(v), ivec4(0x80000000), IsNan(v));
  }
}

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  STORE(y, i, MaskedRow(Apply(LOAD(x, i)), i, p.row_quads, p.columns));
}
