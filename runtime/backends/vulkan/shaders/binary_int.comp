// SPDX-License-Identifier: Apache-2.0
// Integers and bool, also comparisons of them. Bytes have the values 0 to 255; results wrap. Where integers divide by 0, somebody else
// makes the run fail.
#version 450
#include "linnet.glsl"
#include "../abi/binary_int.h"

layout(constant_id = 1) const uint KIND = kBinaryAdd;
layout(constant_id = 4) const bool BYTE = false;  // the result is a byte
layout(push_constant) uniform Push { BinaryPush p; };
#include "broadcast.glsl"
READ_I(0, in_a);
READ_I(1, in_b);
WRITE_I(2, y);

// Towards zero. With unsigned division, because GLSL defines no remainder of negative numbers. The smallest integer / -1 wraps.
ivec4 Quotient(ivec4 a, ivec4 b) {
  const uvec4 q = uvec4(abs(a)) / max(uvec4(abs(b)), 1u);
  return mix(ivec4(q), -ivec4(q), lessThan(a ^ b, ivec4(0)));
}

ivec4 Remainder(ivec4 a, ivec4 b) { return a - Quotient(a, b) * b; }

// Where the quotient is not exact and below zero.
bvec4 RoundedUp(ivec4 rest, ivec4 b) { return bvec4(uvec4(notEqual(rest, ivec4(0))) & uvec4(lessThan(rest ^ b, ivec4(0)))); }

ivec4 Power(ivec4 a, ivec4 b) {
  ivec4 power = ivec4(1);
  for (int bit = 0; bit < 31; ++bit) {
    power *= mix(ivec4(1), a, notEqual((b >> bit) & 1, ivec4(0)));
    a *= a;
  }
  return power;
}

ivec4 Apply(ivec4 a, ivec4 b) {
  switch (KIND) {
    case kBinaryAdd: return a + b;
    case kBinarySub: return a - b;
    case kBinaryMul: return a * b;
    case kBinaryDiv:
    case kBinaryTruncateDiv: return Quotient(a, b);
    case kBinaryTruncateMod: return Remainder(a, b);
    case kBinaryFloorDiv: return Quotient(a, b) - ivec4(RoundedUp(Remainder(a, b), b));
    case kBinaryFloorMod: {
      const ivec4 rest = Remainder(a, b);
      return mix(rest, rest + b, RoundedUp(rest, b));
    }
    case kBinaryMaximum: return max(a, b);
    case kBinaryMinimum: return min(a, b);
    case kBinaryPow: return Power(a, b);
    case kBinarySquaredDifference: return (a - b) * (a - b);
    case kBinaryLogicalAnd:
    case kBinaryBitwiseAnd: return a & b;
    case kBinaryLogicalOr:
    case kBinaryBitwiseOr: return a | b;
    case kBinaryBitwiseXor: return a ^ b;
    case kBinaryLeftShift: return a << clamp(b, 0, 31);
    case kBinaryRightShift: return a >> clamp(b, 0, 31);
    case kCompareEqual: return ivec4(equal(a, b));
    case kCompareNotEqual: return ivec4(notEqual(a, b));
    case kCompareLess: return ivec4(lessThan(a, b));
    case kCompareLessEqual: return ivec4(lessThanEqual(a, b));
    case kCompareGreater: return ivec4(greaterThan(a, b));
    case kCompareGreaterEqual: return ivec4(greaterThanEqual(a, b));
    default: return a;
  }
}

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uvec3 at = InputQuads(i);
  ivec4 value = Apply(SPLATTED(0, LOAD(in_a, at.x)), SPLATTED(1, LOAD(in_b, at.y)));
  if (BYTE) value &= 255;
  STORE(y, i, MaskedRow(value, i, p.row_quads, p.columns));
}
