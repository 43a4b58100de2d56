// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "math.glsl"
#include "range.glsl"
#include "trigonometry.glsl"
#include "../abi/binary.h"
#include "arithmetic.glsl"

layout(constant_id = 1) const uint KIND = kBinaryAdd;
layout(push_constant) uniform Push { BinaryPush p; };
#include "broadcast.glsl"
READ_F(0, in_a);
READ_F(1, in_b);
WRITE_F(2, y);

// a / b with the error of the device's division, which may be a few units in the last place, taken off: floor must not fall below an
// exact quotient.
vec4 Quotient(vec4 a, vec4 b) {
  precise const vec4 q = a / b;
  precise const vec4 rest = fma(-q, b, a);
  const vec4 better = q + rest / b;
  return mix(q, better, lessThan(abs(q), vec4(8388608.0)));
}

// The remainder of a / b with the sign of a, exactly, by long division of the mantissas.
float Remainder(float a, float b) {
  const uint sign_bit = floatBitsToUint(a) & 0x80000000u;
  const uint dividend = floatBitsToUint(a) & 0x7fffffffu, divisor = floatBitsToUint(b) & 0x7fffffffu;
  if (dividend >= 0x7f800000u || divisor > 0x7f800000u || divisor == 0u) return NOT_A_NUMBER;
  if (dividend < divisor) return a;
  // Value = mantissa 2^(exponent - 150), also for subnormal numbers.
  const uint divisor_exponent = max(divisor >> 23, 1u);
  const uint modulus = (divisor & 0x7fffffu) | (divisor >= 0x800000u ? 0x800000u : 0u);
  uint rest = (dividend & 0x7fffffu) | (dividend >= 0x800000u ? 0x800000u : 0u);
  uint places = max(dividend >> 23, 1u) - divisor_exponent;
  rest %= modulus;
  for (; places > 0u && rest != 0u; --places) {
    rest <<= 1;
    if (rest >= modulus) rest -= modulus;
  }
  if (rest == 0u) return uintBitsToFloat(sign_bit);
  // rest < 2^24 times 2^(divisor_exponent - 150), as bits.
  const uint top = uint(findMSB(rest));
  const uint up = min(23u - top, divisor_exponent - 1u);
  const uint mantissa = rest << up;
  const uint exponent = mantissa >= 0x800000u ? divisor_exponent - up : 0u;
  return uintBitsToFloat(sign_bit | exponent << 23 | (mantissa & 0x7fffffu));
}

vec4 Remainders(vec4 a, vec4 b) {
  const vec4 rest = vec4(Remainder(a.x, b.x), Remainder(a.y, b.y), Remainder(a.z, b.z), Remainder(a.w, b.w));
  if (KIND == kBinaryTruncateMod) return rest;
  const bvec4 zero = equal(floatBitsToUint(rest) & 0x7fffffffu, uvec4(0u));
  const uvec4 differ = (floatBitsToUint(rest) ^ floatBitsToUint(b)) & 0x80000000u;
  return mix(rest, rest + b, bvec4(differ & mix(uvec4(0x80000000u), uvec4(0u), zero)));
}

vec4 Apply(vec4 a, vec4 b) {
  switch (KIND) {
    case kBinaryFloorDiv: return floor(Quotient(a, b));
    case kBinaryTruncateDiv: return trunc(Quotient(a, b));
    case kBinaryFloorMod:
    case kBinaryTruncateMod: return Remainders(a, b);
    case kBinaryDivNoNan: return mix(a / b, vec4(0.0), equal(b, vec4(0.0)));
    case kBinaryPow: return Pow(a, b);
    case kBinaryAtan2: return Atan2(a, b);
    default: return Arithmetic(KIND, a, b);
  }
}

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uvec3 at = InputQuads(i);
  const vec4 a = SPLATTED(0, LOAD(in_a, at.x)), b = SPLATTED(1, LOAD(in_b, at.y));
  STORE(y, i, MaskedRow(InRange(Apply(a, b), p.min, p.max), i, p.row_quads, p.columns));
}
